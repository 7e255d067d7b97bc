"""The live class behind the proxy of JupyterHub and Binder, under an address with a base."""

import asyncio
import json
import os
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from class_jupyter import (
    OPEN_A_CLASS,
    TOKEN,
    Site,
    environment,
    free_port,
    jupyter,
    resume_the_class,
    started,
)
from class_server import Phone, run
from http_proxy import proxy_command

pytestmark = pytest.mark.slow

BASE = "/user/x/"
LOGIN = {"Authorization": f"token {TOKEN}"}
SECRET = "of-the-proxy"


@pytest.fixture
def proxy(tmp_path):
    """The proxy, and the port at which it expects the server."""
    port, api, behind = free_port(), free_port(), free_port()
    command = [proxy_command(), "--ip=127.0.0.1", f"--port={port}", "--log-level=warn"]
    command += ["--api-ip=127.0.0.1", f"--api-port={api}"]
    env = environment(tmp_path / "home", CONFIGPROXY_AUTH_TOKEN=SECRET)
    log = tmp_path / "proxy"
    with started(command, Site(api), log, answers="api/routes", env=env, cwd=tmp_path):
        target = {"target": f"http://127.0.0.1:{behind}"}
        route = Site(api).ask(
            "POST", f"api/routes{BASE}".rstrip("/"), target, Authorization=f"token {SECRET}"
        )
        assert route[0] == 201
        yield SimpleNamespace(site=Site(port, BASE), behind=behind)


@contextmanager
def server_behind(proxy, folder):
    option = f"--IdentityProvider.token={TOKEN}"
    with jupyter(folder, option, base=BASE, port=proxy.behind) as server:
        yield server


def test_pupils_play_through_the_proxy_and_come_back_after_the_server_has_died(proxy, tmp_path):
    site = proxy.site
    bid = {"t": "bid", "turn": [1, "buy"], "bids": {"X": [2, 40]}}

    async def page_of(key):
        page = await Phone.open(site.url)
        await page.say(t="hello", key=key)
        return page, await page.hear("view")

    async def until_it_dies(server, told):
        ann = await asyncio.to_thread(site.join, told["code"], "Ann")
        ben = await asyncio.to_thread(site.join, told["code"], "Ben")
        page, _ = await page_of(ben)
        await asyncio.to_thread(site.host, "do", {"do": "start"}, key=told["host"])
        receipt = await asyncio.to_thread(lambda: site.say(**bid, id="of the first", key=ann))
        assert receipt["ok"], receipt
        # Ben's page hears through the proxy that Ann has handed in.
        for _ in range(20):
            update = await page.hear("update")
            if any(firm["in"] for firm in update.get("table", {"firms": []})["firms"]):
                break
        else:
            raise AssertionError("Ben hears nothing")
        server.process.kill()
        while await page.hear() is not None:
            pass
        status, headers, _ = await asyncio.to_thread(site.ask, "POST", "exdec/say", {"t": "ping"})
        # What the page takes for "the session does not run", and tries again.
        assert status == 503
        assert "json" not in headers.get("Content-Type", "")
        return ann, ben

    async def after(ann, ben):
        page, view = await page_of(ben)
        assert (view["turn"], view["sealed"]) == ([1, "buy"], None)
        polled = await asyncio.to_thread(lambda: site.say(t="hello", key=ann))
        assert polled["sealed"]["bids"]["X"] == [2, 40]
        # No address for phones was open here, so it waits until the teacher sees the pupils.
        assert polled["phase"] == "paused"
        await asyncio.to_thread(site.host, "do", {"do": "go"}, key=told["host"])
        await page.say(**bid, id="of the second")
        assert (await page.hear("receipt"))["ok"]
        polled = await asyncio.to_thread(lambda: site.say(t="hello", key=ann))
        assert polled["turn"] == [1, "sell"]
        assert polled["postings"][0]["units"] == [4, 0, 0]

    with server_behind(proxy, tmp_path) as server:
        told = json.loads(server.run_in_kernel(OPEN_A_CLASS, **LOGIN))
        keys = run(until_it_dies(server, told))
    with server_behind(proxy, tmp_path) as server:
        resume = resume_the_class(os.path.basename(told["file"]))
        assert json.loads(server.run_in_kernel(resume, **LOGIN))["ok"]
        run(after(*keys))


def test_jupyter_stays_closed_to_pupils_behind_the_proxy(proxy, tmp_path):
    with server_behind(proxy, tmp_path) as server:
        assert proxy.site.ask("GET", "exdec/")[0] == 404
        told = json.loads(server.run_in_kernel(OPEN_A_CLASS, **LOGIN))
        key = proxy.site.join(told["code"], "Ann")
        pupil = {"Authorization": f"token {key}"}
        assert proxy.site.ask("GET", "api/contents", **pupil)[0] == 403
        assert proxy.site.ask("POST", "api/kernels", {}, **pupil)[0] == 403
        look = {"t": "look", "code": told["code"]}
        own = f"http://127.0.0.1:{proxy.site.port}"
        assert proxy.site.ask("POST", "exdec/say", look, Origin=own)[0] == 200
        assert proxy.site.ask("POST", "exdec/say", look, Origin="http://127.0.0.1:1")[0] == 403
