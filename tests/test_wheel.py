import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path
from urllib.error import HTTPError

import pytest
from lab_server import running

from exdec import lab
from exdec.kit import files

TREE = Path(__file__).parents[1]

pytestmark = pytest.mark.skipif(
    not (TREE / "pyproject.toml").exists(), reason="there is no clone here to build a wheel from"
)


def build(folder, *what):
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), *what]
    subprocess.run([*command, str(TREE)], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """What is published: an sdist, and the wheel that is made from it."""
    return build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def wheel(dist):
    return next(dist.glob("*.whl"))


@pytest.fixture(scope="module")
def unpacked(dist, tmp_path_factory):
    """The sdist, as somebody who builds from it has it."""
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(next(dist.glob("*.tar.gz"))) as sdist:
        sdist.extractall(folder, filter="data")
    return next(folder.iterdir())


def contents(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def committed(*folders):
    said = subprocess.run(["git", "ls-files", *folders], cwd=TREE, capture_output=True, text=True)
    return set(said.stdout.split("\n")) - {""}


def test_the_wheel_has_the_code_its_types_and_the_kit(wheel):
    names = contents(wheel).keys()
    kit = {path.as_posix() for path in files()} | committed("notebooks", "lessons")
    assert {lab.FIRST, "lessons/01_prices/exercises.toml", "docs/rules.md"} <= kit
    assert {f"exdec/_kit/{name}" for name in kit} == {n for n in names if "/_kit/" in n}
    assert committed("exdec") | {"exdec/py.typed"} <= names


def test_the_wheel_says_what_it_is(wheel):
    name = next(name for name in contents(wheel) if name.endswith(".dist-info/METADATA"))
    said = message_from_bytes(contents(wheel)[name])
    assert said["Name"] == "exdec"
    assert said["Requires-Python"] == ">=3.11"
    assert said["Description-Content-Type"] == "text/markdown"
    assert "Typing :: Typed" in said.get_all("Classifier")
    assert {f"Programming Language :: Python :: 3.{n}" for n in range(11, 15)} <= set(
        said.get_all("Classifier")
    )


def test_the_sdist_makes_the_same_wheel_as_the_tree(wheel, tmp_path):
    assert contents(next(build(tmp_path, "--wheel").glob("*.whl"))) == contents(wheel)


def test_the_sdist_has_the_tests_and_the_pages(unpacked):
    names = {
        path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()
    }
    assert committed("tests", "docs", "jupyter-config", "*.md", "*.cff", "LICENSE") <= names


@pytest.mark.slow
def test_the_tests_pass_in_the_sdist(unpacked):
    some = ["tests/test_rulings.py", "tests/lessons/test_build.py", "tests/test_links.py"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *some]
    done = subprocess.run(command, cwd=unpacked, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_wheel_tells_jupyter_of_the_live_class(wheel):
    (told,) = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith("/exdec.json")]
    assert told.endswith(".data/data/etc/jupyter/jupyter_server_config.d/exdec.json")


def test_the_wheel_has_nothing_that_playing_leaves_behind(wheel):
    extra = {"games", ".ipynb_checkpoints", "__pycache__", "tests"}
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if extra & {*name.split("/")}]


def installed(wheel, folder, python=sys.executable):
    """The command `exdec` in an environment that has the wheel and what it asks for."""
    uv = os.environ.get("UV") or shutil.which("uv")
    if uv is None:
        pytest.skip("uv is not here to make an environment; pip install uv")
    venv = folder / "venv"
    subprocess.run([uv, "venv", "-q", "-p", python, str(venv)], check=True)
    python = next(path for path in venv.glob("*/python*") if path.stem == "python")
    install = [uv, "pip", "install", "-q", "-p", str(python), str(wheel)]
    done = subprocess.run(install, capture_output=True, text=True)
    if done.returncode and "CI" not in os.environ:
        pytest.skip(f"the packages cannot be had, perhaps without a network: {done.stderr[-200:]}")
    assert done.returncode == 0, done.stderr
    return str(python.with_name("exdec"))


def starts_in_an_empty_folder(exdec, folder):
    """Run `exdec lab` there, and compare what it serves with what it has put there."""
    folder.mkdir()
    with running(folder, command=[exdec]) as server:
        served = json.loads(server.fetch(f"api/contents/{lab.FIRST}"))
        assert f"into {folder / 'exdec-kit'}, your own" in server.log.read_text()
        # The live class is loaded, and closed until a class is open.
        with pytest.raises(HTTPError) as answer:
            server.fetch("exdec/")
        assert "No class is open here" in answer.value.read().decode()
    copied = json.loads((folder / "exdec-kit" / lab.FIRST).read_text(encoding="utf-8"))
    assert [cell["id"] for cell in served["content"]["cells"]] == [
        cell["id"] for cell in copied["cells"]
    ]


@pytest.mark.slow
def test_lab_from_the_wheel_puts_the_kit_into_an_empty_folder(wheel, tmp_path):
    starts_in_an_empty_folder(installed(wheel, tmp_path), tmp_path / "empty")


@pytest.mark.slow
@pytest.mark.parametrize("python", ["3.12", "3.13", "3.14"])
def test_lab_starts_on_other_pythons_that_are_here(wheel, tmp_path, python):
    found = shutil.which(f"python{python}")
    # A version manager may leave a command of that name which runs nothing.
    if found and subprocess.run([found, "--version"], capture_output=True).returncode:
        found = None
    if found is None or sys.version_info[:2] == tuple(map(int, python.split("."))):
        pytest.skip(f"no other Python {python} here")
    starts_in_an_empty_folder(installed(wheel, tmp_path, found), tmp_path / "empty")
