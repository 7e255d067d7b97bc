import json
import os
import re
import socket
from pathlib import Path

import pytest
from lab_server import running

from exdec import lab

THIS_MACHINE = {"localhost", "127.0.0.1", "::1", "None"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("lab")) as server:
        yield server


def test_lab_serves_the_first_notebook(server):
    assert server.page == f"lab/tree/{lab.FIRST}"
    served = json.loads(server.fetch(f"api/contents/{lab.FIRST}"))["content"]
    kit = lab.IN_WHEEL if lab.IN_WHEEL.is_dir() else lab.IN_CLONE
    ours = json.loads((kit / lab.FIRST).read_text(encoding="utf-8"))
    assert [cell["id"] for cell in served["cells"]] == [cell["id"] for cell in ours["cells"]]


def test_lab_says_what_it_opens_and_little_else(server):
    said = server.log.read_text()
    assert f"{os.sep}{lab.FIRST}." in said
    assert len(said.splitlines()) < 15
    assert "Traceback" not in said


def test_lab_asks_nobody_outside(server):
    page = server.fetch(server.page)
    settings = json.loads(
        re.search(r'<script id="jupyter-config-data"[^>]*>(.*?)</script>', page, re.S)[1]
    )
    assert settings["news"] == {"disabled": True}
    assert settings["extensionManager"]["can_install"] is False
    assert json.loads(server.fetch("lab/api/news"))["news"] == []
    assert json.loads(server.fetch("lab/api/update"))["notification"] is None
    # What the page itself loads comes from the server.
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)
    asked = set(server.contacts.read_text().split())
    assert asked
    assert asked <= THIS_MACHINE


def test_lab_leaves_no_settings_behind(server):
    assert not list(server.home.glob(".jupyter/*config*"))
    assert not list(server.home.glob(".jupyter/lab/user-settings/*"))


def test_lab_takes_a_free_port_if_8888_is_taken(tmp_path):
    with socket.socket() as taken:
        try:
            taken.bind(("127.0.0.1", 8888))
            taken.listen()
        except OSError:
            pass  # somebody else has it, which is just as well
        with running(tmp_path) as server:
            assert server.port != 8888
            assert json.loads(server.fetch("api/status"))["kernels"] == 0


def test_lab_hands_on_options_and_lets_them_win(tmp_path):
    with running(tmp_path, "--", "--LabApp.default_url=/lab/tree/other.ipynb") as server:
        assert server.page == "lab/tree/other.ipynb"


# -- the working copy ----------------------------------------------------------------------------


@pytest.fixture
def kit(tmp_path):
    kit = tmp_path / "kit"
    (kit / "instructor").mkdir(parents=True)
    (kit / "00.ipynb").write_text("first")
    (kit / "instructor" / "10.ipynb").write_text("host")
    return kit


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_working_copy_has_every_notebook(tmp_path, kit):
    folder, done = lab.working_copy(tmp_path, kit)
    assert folder == tmp_path / "notebooks"
    assert files(folder) == {"00.ipynb": "first", "instructor/10.ipynb": "host"}
    assert done == [f"Put 2 files into {folder}."]


def test_a_working_copy_never_overwrites_what_a_learner_changed(tmp_path, kit):
    folder, _ = lab.working_copy(tmp_path, kit)
    (folder / "00.ipynb").write_text("mine")
    (folder / "instructor" / "10.ipynb").unlink()
    _, done = lab.working_copy(tmp_path, kit)
    assert files(folder) == {"00.ipynb": "mine", "instructor/10.ipynb": "host"}
    assert done == [
        f"Put {Path('instructor', '10.ipynb')} into {folder}.",
        "Left 00.ipynb as you have changed it. For a fresh copy, rename yours first.",
    ]


def test_a_working_copy_that_is_there_needs_no_word(tmp_path, kit):
    lab.working_copy(tmp_path, kit)
    assert lab.working_copy(tmp_path, kit)[1] == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path, kit):
    (tmp_path / "notebooks").write_text("a file")
    with pytest.raises(lab.LabError, match=r"notebooks: .*\. Try it in another folder\.$"):
        lab.working_copy(tmp_path, kit)
    assert (tmp_path / "notebooks").read_text() == "a file"
