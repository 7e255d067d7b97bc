"""A real JupyterLab and a real Chromium.

One server serves the whole run. It has a home of its own and a copy of the notebooks, and every
page records what it asked for and what it complained about.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

SETTINGS = {
    "@jupyterlab/apputils-extension/notification": (
        '{"fetchNews": "false", "checkForUpdates": false}'
    ),
    "@jupyterlab/apputils-extension/themes": '{"theme": "JupyterLab Light"}',
}


class Lab:
    """A running JupyterLab, and the folder it serves."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "work"
        shutil.copytree(NOTEBOOKS, self.folder, ignore=shutil.ignore_patterns("games", ".*"))
        settings = home / "settings"
        for name, text in SETTINGS.items():
            path = (settings / name).with_suffix(".jupyterlab-settings")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.token = secrets.token_hex(16)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._log = home / "lab.log"
        env = {name: text for name, text in os.environ.items() if not name.startswith("JUPYTER")}
        env |= {"HOME": str(home), "JUPYTERLAB_SETTINGS_DIR": str(settings)}
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    *("-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"),
                    f"--port={self.port}",
                    "--ServerApp.port_retries=0",
                    f"--IdentityProvider.token={self.token}",
                    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
                ],
                cwd=self.folder,
                env=env,
                stdout=log,
                stderr=log,
            )
        self._wait()

    def _wait(self) -> None:
        for _ in range(300):
            if self._process.poll() is not None:
                break
            try:
                with urlopen(f"http://127.0.0.1:{self.port}/api?token={self.token}", timeout=5):
                    return
            except (URLError, OSError):
                time.sleep(0.1)
        self.stop()
        pytest.fail(f"JupyterLab did not start:\n{self._log.read_text()}")

    def url(self, notebook: str) -> str:
        # A workspace of its own: nothing that another test left open comes back.
        space = secrets.token_hex(4)
        return (
            f"http://127.0.0.1:{self.port}/lab/workspaces/{space}/tree/{notebook}"
            f"?token={self.token}"
        )

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=20)


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    lab = Lab(tmp_path_factory.mktemp("home"))
    yield lab
    lab.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        text = "No Chromium here. Install it (apt-get install chromium) to run the browser tests."
        if os.environ.get("CI") == "true":
            pytest.fail(text)
        pytest.skip(text)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser, lab: Lab) -> Iterator[BrowserContext]:
    """A fresh browser; afterwards nothing may have left the machine, and nothing complained."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    elsewhere: list[str] = []
    errors: list[str] = []

    def asked(url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and parts.hostname not in (
            "127.0.0.1",
            "localhost",
        ):
            elsewhere.append(url)

    def watch(page: Page) -> None:
        page.on("websocket", lambda socket: asked(socket.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)

    context.on("request", lambda request: asked(request.url))
    context.on("page", watch)
    context.set_default_timeout(20_000)
    yield context
    context.close()
    assert elsewhere == []
    assert errors == []


class Notebook:
    """One notebook, open in JupyterLab, and the game in it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.form = page.locator(".exdec-form")
        self.report = page.locator(".exdec-report")
        self.where = page.locator(".exdec-where")

    def menu(self, menu: str, item: str) -> None:
        self.page.get_by_role("menuitem", name=menu, exact=True).click()
        self.page.get_by_role("menuitem", name=item, exact=True).click()

    def run_all(self) -> None:
        self.menu("Run", "Run All Cells")
        self.wait_for_form()

    def restart_and_run_all(self) -> None:
        self.menu("Kernel", "Restart Kernel and Run All Cells…")
        self.page.get_by_role("button", name="Confirm Kernel Restart").click()
        self.wait_for_form()

    def wait_for_form(self) -> None:
        """Wait until all cells have run and the form is there to be used."""
        idle = self.page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")
        expect(idle).to_be_visible(timeout=60_000)
        expect(self.form.get_by_role("button").first).to_be_visible()
        expect(self.page.locator(".js-plotly-plot .trace").first).to_be_visible()

    def bid(self, **bids: tuple[int, int]) -> None:
        """Type units and price of some lines."""
        names = {"X": "X-FINE", "F": "FINE", "S": "STANDARD"}
        for item, (units, price) in bids.items():
            name = names.get(item, item)
            self.form.get_by_label(f"{name}, units", exact=True).fill(str(units))
            self.form.get_by_label(f"{name}, price a unit in dollars", exact=True).fill(str(price))

    def hand_in(self, kind: str) -> None:
        self.form.get_by_role("button", name=f"Hand in the {kind}").click()

    def prices(self, name: str) -> list[int]:
        """What the chart draws for one item."""
        return self.page.evaluate(
            """name => document.querySelector('.js-plotly-plot').data
                .find(trace => trace.name === name).y""",
            name,
        )

    def wait_for_prices(self, name: str, prices: list[int]) -> None:
        """Wait until the chart draws these."""
        self.page.wait_for_function(
            """([name, prices]) => document.querySelector('.js-plotly-plot')?.data
                ?.some(trace => trace.name === name && String(trace.y) === String(prices))""",
            arg=[name, prices],
        )


@pytest.fixture
def open_notebook(context: BrowserContext, lab: Lab) -> Callable[[str], Notebook]:
    """Open a notebook as someone who has not played yet."""
    shutil.rmtree(lab.folder / "games", ignore_errors=True)

    def open_it(name: str) -> Notebook:
        page = context.new_page()
        page.goto(lab.url(name))
        page.locator(".jp-Notebook .jp-Cell").first.wait_for(timeout=60_000)
        # The menus can be used sooner, but then they ask which kernel to use.
        expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle", timeout=60_000)
        return Notebook(page)

    return open_it


@pytest.fixture
def notebook(open_notebook: Callable[[str], Notebook]) -> Notebook:
    """The first notebook."""
    return open_notebook("00_start_here.ipynb")
