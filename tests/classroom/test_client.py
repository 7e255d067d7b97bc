import json
import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from class_server import hosted

from exdec.classroom.client import GONE, NO_SERVER, STRANGER, UNCLEAR, Client, HostError
from exdec.classroom.settings import ClassSettings


@pytest.fixture
def host(tmp_path):
    with hosted(tmp_path) as one:
        yield one


def client_of(host, secret=None):
    return Client(host.url.removesuffix("exdec/"), secret or host.server.secret)


def refused(work, *args):
    with pytest.raises(HostError) as caught:
        work(*args)
    return str(caught.value)


def test_without_the_server_part_it_says_what_to_start():
    for environment in ({}, {"EXDEC_KERNEL_URL": "http://127.0.0.1:1/"}):
        assert refused(Client.here, environment) == NO_SERVER
    assert "exdec lab" in NO_SERVER
    assert "exdec host" in NO_SERVER


def test_a_class_is_opened_run_and_closed(host):
    client = client_of(host)
    assert client.state() == {"t": "none", "classes": [], "folder": str(host.server.folder)}
    opened = client.open(ClassSettings(title="Year 11", months=3, roster=["Ann", "Ben"]))
    state = client.state()
    assert (state["title"], state["code"], state["months"]) == ("Year 11", opened["code"], 3)
    assert state["host"] == opened["host"]
    assert state["file"] == opened["file"]
    assert client.do("start")["text"] == "The game begins at 1 table."
    assert client.do("pause")["back"] == {"do": "go"}
    assert client.state(0)["board"]["table"] == "Table 1"
    client.do("finish")
    (kept,) = client.state()["classes"]
    assert (kept["title"], kept["closed"]) == ("Year 11", True)


def test_a_class_that_was_cut_off_goes_on(host):
    client = client_of(host)
    client.open(ClassSettings(title="Year 11"))
    host.call(lambda: host.server.shut(gone=False))
    (kept,) = client.state()["classes"]
    assert not kept["closed"]
    client.resume(kept["file"])
    assert client.state()["title"] == "Year 11"


def test_the_page_is_a_path_with_the_base_and_its_key_after_the_sign():
    client = Client("http://127.0.0.1:8888/user/ann/", "secret")
    assert client.page("k&y", "projector") == "/user/ann/exdec/host#k=k%26y&view=projector"


def test_its_representation_tells_no_secret():
    assert "secret" not in repr(Client("http://127.0.0.1:1/", "secret"))


def test_refusals_are_the_servers_sentences(host):
    client = client_of(host)
    assert refused(client.do, "pause") == "No class is open."
    client.open(ClassSettings())
    assert refused(client.do, "pause") == "No clock is running."
    assert "A class is open" in refused(client.open, ClassSettings())


def test_a_server_that_was_started_anew_does_not_know_the_kernel(host):
    client = client_of(host, secret="another")
    client_of(host).open(ClassSettings())
    assert refused(client.state) == STRANGER


def test_a_server_that_is_gone_is_said_to_be_gone():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        assert refused(Client(f"http://127.0.0.1:{port}/", "secret").state) == GONE


@contextmanager
def answering(status, body, **headers):
    """Something else at the server's address."""

    class Other(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Other)
    thread = threading.Thread(target=server.handle_request, daemon=True)
    thread.start()
    try:
        yield Client(f"http://127.0.0.1:{server.server_port}/", "secret")
    finally:
        thread.join(10)
        server.server_close()


@pytest.mark.parametrize(
    ("status", "body", "headers"),
    [
        (200, b"<html>Log in</html>", {}),
        (200, b"[]", {}),
        (302, b"", {"Location": "/login"}),
        (500, b"<html>broken</html>", {}),
        (500, b"{}", {}),
    ],
)
def test_what_is_no_answer_of_ours_is_said_to_be_none(status, body, headers):
    with answering(status, body, **headers) as client:
        assert refused(client.state) == UNCLEAR


def test_an_error_of_ours_is_its_sentence():
    with answering(429, json.dumps({"text": "Too many at once."}).encode()) as client:
        assert refused(client.state) == "Too many at once."


def test_no_proxy_is_asked(host, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    assert client_of(host).state()["t"] == "none"
