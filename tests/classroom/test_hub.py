"""The live class on a JupyterHub, with pupils whom the hub does not know."""

import json
import time

import pytest
from class_jupyter import (
    OPEN_A_CLASS,
    OUR_404,
    START,
    Jupyter,
    Site,
    environment,
    free_port,
    started,
)
from class_server import Phone, run
from http_proxy import proxy_command

pytest.importorskip("jupyterhub", reason="uv sync --group ci installs it")
pytestmark = pytest.mark.slow

TOKEN = "of-a-service-that-looks-after-the-hub"
LOGIN = {"Authorization": f"token {TOKEN}"}

CONFIG = """
c.JupyterHub.bind_url = "http://127.0.0.1:{port}/j/"
c.JupyterHub.hub_bind_url = "http://127.0.0.1:{hub}"
c.JupyterHub.db_url = "sqlite:///{folder}/hub.sqlite"
c.JupyterHub.cookie_secret_file = "{folder}/cookie-secret"
c.ConfigurableHTTPProxy.command = {command!r}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{api}"
c.ConfigurableHTTPProxy.pid_file = "{folder}/proxy.pid"
c.JupyterHub.authenticator_class = "dummy"
c.JupyterHub.spawner_class = "simple"
c.Authenticator.allow_all = True
c.SimpleLocalProcessSpawner.home_dir_template = "{folder}/home/{{username}}"
c.Spawner.ip = "127.0.0.1"
c.Spawner.args = ["--allow-root", "--LanguageServerManager.autodetect=False"]
c.Spawner.start_timeout = c.Spawner.http_timeout = {patience}
c.JupyterHub.services = [{{"name": "test", "api_token": "{token}"}}]
c.JupyterHub.load_roles = [
    {{"name": "test", "services": ["test"],
      "scopes": ["admin:users", "admin:servers", "access:servers"]}}
]
"""


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    """The server of the instructor, whom the hub has let in, seen from outside."""
    folder = tmp_path_factory.mktemp("hub")
    port = free_port()
    config = folder / "config.py"
    config.write_text(
        CONFIG.format(
            port=port,
            hub=free_port(),
            api=free_port(),
            folder=folder,
            command=[proxy_command()],
            token=TOKEN,
            patience=START,
        )
    )
    env = environment(folder / "root")
    command = ["jupyterhub", "--config", str(config)]
    site, log = Site(port, "/j/"), folder / "log"
    with started(command, site, log, answers="hub/api/", env=env, cwd=folder) as process:
        assert site.ask("POST", "hub/api/users/teacher", **LOGIN)[0] == 201
        assert site.ask("POST", "hub/api/users/teacher/server", **LOGIN)[0] in (201, 202)
        deadline = time.monotonic() + START
        while not json.loads(site.ask("GET", "hub/api/users/teacher", **LOGIN)[2])["server"]:
            assert time.monotonic() < deadline, log.read_text()[-4_000:]
            time.sleep(0.2)
        yield Jupyter(port, "/j/user/teacher/", log, process)
        site.ask("DELETE", "hub/api/users/teacher/server", **LOGIN)


def test_pupils_whom_the_hub_does_not_know_play_a_step(hub):
    for path in ("exdec", "exdec/", "exdec/host", "exdec/zzz"):
        status, headers, body = hub.ask("GET", path)
        assert (status, path) == (404, path)
        assert OUR_404 in body.decode()
        assert "Set-Cookie" not in headers
    told = json.loads(hub.run_in_kernel(OPEN_A_CLASS, **LOGIN))
    assert told["ok"], told
    status, headers, _ = hub.ask("GET", "exdec/", Host="hub.example.org")
    assert status == 200
    assert "Set-Cookie" not in headers

    ann, ben = hub.join(told["code"], "Ann"), hub.join(told["code"], "Ben")
    assert hub.host("do", {"do": "start"}, key=told["host"])["ok"]
    bid = {"t": "bid", "turn": [1, "buy"], "bids": {"X": [2, 40]}}

    async def play():
        page = await Phone.open(hub.url)
        await page.say(t="hello", key=ben)
        await page.hear("view")
        await page.say(**bid, id="of the second")
        assert (await page.hear("receipt"))["ok"]

    run(play())
    assert hub.say(**bid, id="of the first", key=ann)["ok"]
    view = hub.say(t="hello", key=ann)
    assert (view["turn"], view["postings"][0]["units"]) == ([1, "sell"], [4, 0, 0])

    # Phones come through the hub: a door of the hub's own machine would lead nowhere.
    state = hub.host("state", key=told["host"])
    assert "room" not in {control["do"] for control in state["controls"]}

    pupil = {"Authorization": f"token {ann}"}
    for path in ("api/contents", "api/kernels", "api/status", "lab", "files/x", "terminals/1"):
        status, headers, _ = hub.ask("GET", path, **pupil)
        assert status in (403, 404) or "/hub/" in headers.get("Location", ""), (path, status)
    assert hub.ask("POST", "api/kernels", {}, **pupil)[0] == 403
    look = {"t": "look", "code": told["code"]}
    assert hub.ask("POST", "exdec/say", look, Origin="https://evil.example")[0] == 403

    assert hub.host("do", {"do": "finish"}, key=told["host"])["ok"]
    assert hub.ask("GET", "exdec/")[0] == 404
    said = hub.log.read_text()
    assert not [
        one for one in (ann, ben, told["host"], told["secret"], told["code"]) if one in said
    ]
