"""Pin what Binder installs, at versions that its image has already.

    uv run --with jupyter-repo2docker binder/pin.py

writes requirements.txt anew. repo2docker's image brings Jupyter; any other version of it would be
downloaded, and take its room twice. So the image's versions hold here wherever pyproject.toml
allows them, and only what the image lacks is the newest.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
COMMAND = "uv run --with jupyter-repo2docker binder/pin.py"

# conda-forge's names for what PyPI calls otherwise.
OTHERWISE = {
    "jupyterhub-base": "jupyterhub",
    "nbconvert-core": "nbconvert",
    "python-fastjsonschema": "fastjsonschema",
}


def in_the_image(python: str) -> dict[str, str]:
    """What repo2docker's image has for a version of Python: versions by name."""
    folder = files("repo2docker") / "buildpacks" / "conda"
    locked = (folder / f"environment.py-{python}-linux-64.lock").read_text("utf-8")
    found = re.findall(r"^https://\S*/(.+)-([^-]+)-[^-]+\.conda", locked, re.MULTILINE)
    return {OTHERWISE.get(name, name): version for name, version in found if name[0].isalnum()}


def main() -> None:
    """Write requirements.txt."""
    python = (HERE / "runtime.txt").read_text("utf-8").strip().removeprefix("python-")
    with TemporaryDirectory() as folder:
        image = Path(folder, "image.txt")
        pins = (f"{name}=={version}\n" for name, version in in_the_image(python).items())
        image.write_text("".join(pins), "utf-8")
        compiled = ["uv", "pip", "compile", "--quiet", "--upgrade", "--no-annotate"]
        compiled += ["--python-version", python, "--python-platform", "x86_64-manylinux_2_28"]
        compiled += ["--no-emit-index-url", "--constraints", str(image)]
        compiled += ["pyproject.toml", "--output-file", "binder/requirements.txt"]
        told = {**os.environ, "UV_CUSTOM_COMPILE_COMMAND": COMMAND}
        sys.exit(subprocess.run(compiled, cwd=HERE.parent, env=told).returncode)


if __name__ == "__main__":
    main()
