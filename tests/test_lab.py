import json
import re
import socket
from contextlib import closing

import pytest
from lab_server import running
from websocket import create_connection

from exdec import lab
from exdec.kit import KIT

THIS_MACHINE = {"localhost", "127.0.0.1", "::1", "None"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("lab")) as server:
        yield server


def test_lab_serves_the_first_notebook(server):
    assert server.page == f"lab/tree/{lab.FIRST}"
    served = json.loads(server.fetch(f"api/contents/{lab.FIRST}"))["content"]
    ours = json.loads((KIT / lab.FIRST).read_text(encoding="utf-8"))
    assert [cell["id"] for cell in served["cells"]] == [cell["id"] for cell in ours["cells"]]


def test_lab_says_what_it_opens_and_little_else(server):
    said = server.log.read_text()
    folder = server.log.parent / "exdec-kit"
    assert f" files into {folder}, your own copy of the kit.\n" in said
    assert f"{folder / lab.FIRST}." in said
    assert "JupyterLab is starting; its address comes in a moment" in said
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


def test_a_notebooks_kernel_starts_without_a_word(server):
    said = len(server.log.read_text())
    kernel = json.loads(server.fetch("api/kernels", b"{}"))["id"]
    channels = f"ws://127.0.0.1:{server.port}/api/kernels/{kernel}/channels?token={server.token}"
    with closing(create_connection(channels, timeout=60)) as page:
        page.recv()  # the kernel is there
    assert server.log.read_text()[said:] == ""


def test_lab_leaves_no_settings_behind(server):
    assert not list(server.home.glob(".jupyter/*config*"))
    assert not list(server.home.glob(".jupyter/lab/user-settings/*"))


def test_lab_takes_another_port_if_its_own_is_taken(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with running(tmp_path, port=port) as server:
            assert server.port != port
            assert json.loads(server.fetch("api/status"))["kernels"] == 0


def test_lab_hands_on_options_and_lets_them_win(tmp_path):
    with running(tmp_path, "--", "--LabApp.default_url=/lab/tree/other.ipynb") as server:
        assert server.page == "lab/tree/other.ipynb"
