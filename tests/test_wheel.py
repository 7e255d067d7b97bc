import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from urllib.error import HTTPError

import pytest
from lab_server import running

from exdec import lab

TREE = Path(__file__).parents[1]

pytestmark = pytest.mark.skipif(
    not (TREE / "pyproject.toml").exists(), reason="there is no clone here to build a wheel from"
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(folder)]
    subprocess.run([*build, str(TREE)], check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_the_wheel_has_the_code_its_types_and_the_notebooks(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    committed = subprocess.run(
        ["git", "ls-files", "exdec", "notebooks"], cwd=TREE, capture_output=True, text=True
    ).stdout.split("\n")
    in_wheel = {name.replace("notebooks/", "exdec/_notebooks/") for name in committed if name}
    assert {"exdec/py.typed", f"exdec/_notebooks/{lab.FIRST}"} <= names
    assert in_wheel <= names


def test_the_wheel_tells_jupyter_of_the_live_class(wheel):
    (told,) = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith("/exdec.json")]
    assert told.endswith(".data/data/etc/jupyter/jupyter_server_config.d/exdec.json")


def test_the_wheel_has_nothing_that_playing_leaves_behind(wheel):
    extra = {"games", ".ipynb_checkpoints", "__pycache__", "tests"}
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if extra & {*name.split("/")}]


@pytest.fixture
def installed(wheel, tmp_path):
    """The command `exdec` in an environment that has the wheel and what it asks for."""
    uv = os.environ.get("UV") or shutil.which("uv")
    if uv is None:
        pytest.skip("uv is not here to make an environment; pip install uv")
    venv = tmp_path / "venv"
    subprocess.run([uv, "venv", "-q", "-p", sys.executable, str(venv)], check=True)
    python = next(path for path in venv.glob("*/python*") if path.stem == "python")
    install = [uv, "pip", "install", "-q", "-p", str(python), str(wheel)]
    done = subprocess.run(install, capture_output=True, text=True)
    if done.returncode and "CI" not in os.environ:
        pytest.skip(f"the packages cannot be had, perhaps without a network: {done.stderr[-200:]}")
    assert done.returncode == 0, done.stderr
    return str(python.with_name("exdec"))


def test_lab_from_the_wheel_puts_the_notebooks_into_an_empty_folder(installed, tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    with running(folder, command=[installed]) as server:
        served = json.loads(server.fetch(f"api/contents/{lab.FIRST}"))
        assert f"into {folder / 'notebooks'}." in server.log.read_text()
        # The live class is loaded, and closed until a class is open.
        with pytest.raises(HTTPError) as answer:
            server.fetch("exdec/")
        assert "No class is open here" in answer.value.read().decode()
    copied = folder / "notebooks" / lab.FIRST
    assert json.loads(copied.read_text(encoding="utf-8"))["cells"]
    assert [cell["id"] for cell in served["content"]["cells"]] == [
        cell["id"] for cell in json.loads(copied.read_text(encoding="utf-8"))["cells"]
    ]
