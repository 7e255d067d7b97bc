"""What `exdec build-lite` lays out, and what is said where a page cannot do a thing."""

import json
import re
import subprocess
import sys
from base64 import urlsafe_b64decode
from hashlib import sha256
from zipfile import ZipFile

import nbformat
import pytest
from page_links import links, wrong

from exdec import lab
from exdec.bots import make_bot
from exdec.classroom import host
from exdec.crew import Here, crew
from exdec.guard import Apart
from exdec.kit import KIT, files
from exdec.lite import LiteError, pack, prepare
from exdec.places import PlaceError


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lite") / "site"
    prepare(folder)
    return folder


def test_every_notebook_of_the_kit_is_there_and_brings_exdec_first(laid_out):
    ours = {path for path in files() if path.suffix == ".ipynb"}
    made = {path.relative_to(laid_out / "files") for path in laid_out.rglob("*.ipynb")}
    assert made == ours
    for name in made:
        notebook = nbformat.read(laid_out / "files" / name, as_version=4)
        nbformat.validate(notebook)
        code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
        assert code[0].endswith("\n%pip install -q exdec")
        before = nbformat.read(KIT / name, as_version=4)
        assert code[1:] == [cell.source for cell in before.cells if cell.cell_type == "code"]


def test_records_beside_a_notebook_come_along(laid_out):
    example = laid_out / "files" / "notebooks" / "instructor" / "class_example"
    assert len([*example.glob("*.jsonl")]) == 4


def test_every_link_of_the_notebooks_leads_somewhere_in_the_site(laid_out):
    site = laid_out / "files"
    pages = [path for path in site.rglob("*") if path.suffix in (".md", ".ipynb")]
    assert [link for path in pages for link in links(path) if wrong(site, path, link)] == []


def test_the_host_notebook_says_first_that_it_cannot_work_there(laid_out):
    notebook = nbformat.read(
        laid_out / "files" / "notebooks" / "instructor" / "host.ipynb", as_version=4
    )
    assert notebook.cells[0].source.startswith("**This notebook cannot do its work here.**")


def test_a_learner_is_told_where_the_work_stays(laid_out):
    notebook = nbformat.read(laid_out / "files" / lab.FIRST, as_version=4)
    assert "download it" in notebook.cells[0].source


def test_the_site_asks_for_no_news(laid_out):
    calm = json.loads((laid_out / "overrides.json").read_text("utf-8"))
    assert calm["@jupyterlab/apputils-extension:notification"] == {
        "checkForUpdates": False,
        "fetchNews": "false",
    }


def test_the_wheel_asks_only_for_what_a_page_can_have(laid_out):
    (wheel,) = (laid_out / "pypi").glob("*.whl")
    with ZipFile(wheel) as packed:
        (name,) = (name for name in packed.namelist() if name.endswith("/METADATA"))
        metadata = packed.read(name).decode()
    needs = re.findall(r"^Requires-Dist: ([\w-]+)", metadata, re.M)
    assert sorted(needs) == ["ipywidgets", "pandas", "plotly"]
    assert "Provides-Extra" not in metadata


def test_the_wheel_is_whole_and_the_same_each_time(laid_out, tmp_path):
    (wheel,) = (laid_out / "pypi").glob("*.whl")
    assert pack(tmp_path).read_bytes() == wheel.read_bytes()
    with ZipFile(wheel) as packed:
        names = packed.namelist()
        (record,) = (name for name in names if name.endswith("/RECORD"))
        lines = packed.read(record).decode().splitlines()
        assert [line.split(",")[0] for line in lines] == names
        for line in lines[:-1]:
            name, digest, size = line.rsplit(",", 2)
            data = packed.read(name)
            assert len(data) == int(size)
            told = urlsafe_b64decode(digest.removeprefix("sha256=") + "=")
            assert told == sha256(data).digest()
    assert {"exdec/theme.css", "exdec/_kit/lessons/02_demand/three_firms.jsonl"} <= {*names}
    assert not [name for name in names if "/notebooks/" in name or name.endswith(".pyc")]


def test_a_folder_with_something_in_it_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(LiteError, match=r"There is something in .*\. Name a new folder\.$"):
        prepare(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LiteError, match=r"file.* cannot be written: .*\. Name another folder\.$"):
        prepare(tmp_path / "file" / "site")


def test_the_command_says_how_to_go_on(tmp_path):
    command = [sys.executable, "-m", "exdec", "build-lite", "--out", "ours"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "jupyter-lite build --lite-dir ours --output-dir ours/site" in done.stdout
    assert (tmp_path / "ours" / "files" / lab.FIRST).exists()


# -- in a page -----------------------------------------------------------------------------------


@pytest.fixture
def in_a_page(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")


@pytest.mark.usefixtures("in_a_page")
def test_a_class_is_refused_in_a_sentence():
    with pytest.raises(PlaceError, match=r"^A class needs a server, .* inside this page\. Do it"):
        host()


@pytest.mark.usefixtures("in_a_page")
def test_a_process_is_refused_in_a_sentence():
    with pytest.raises(PlaceError, match=r"^A strategy of yours plays in a process of its own, "):
        Apart(make_bot("easy"))


@pytest.mark.usefixtures("in_a_page")
def test_a_tournament_plays_in_the_page_itself():
    assert isinstance(crew(4), Here)
