"""A notebook in a real JupyterLab and a real Chromium, used the way a person uses it."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lab_server import running
from playwright.sync_api import Browser, Page, expect, sync_playwright

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


@dataclass(frozen=True)
class Lab:
    """A running `exdec lab`, and the folder it serves."""

    folder: Path
    port: int
    token: str
    pid: int

    def url(self, notebook: str) -> str:
        # A workspace of its own: nothing that another test left open comes back.
        space = secrets.token_hex(4)
        return (
            f"http://127.0.0.1:{self.port}/lab/workspaces/{space}/tree/{notebook}"
            f"?token={self.token}"
        )


@contextmanager
def serving(folder: Path, home: Path, *, watched: bool = True) -> Iterator[Lab]:
    """Serve a folder by `exdec lab`, to somebody who has said no to Jupyter's news before.

    JupyterLab asks at some moment after it has opened, and its question covers what is below.
    """
    settings = home / "settings"
    said_no = settings / "@jupyterlab/apputils-extension/notification.jupyterlab-settings"
    said_no.parent.mkdir(parents=True)
    said_no.write_text('{"fetchNews": "false"}')
    options = ("--", f"--ServerApp.root_dir={folder}", f"--LabApp.user_settings_dir={settings}")
    with running(home, *options, watched=watched) as server:
        yield Lab(folder, server.port, server.token, server.pid)


def chromium_here() -> str | None:
    """Where Chromium is, if it is installed."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_here(), args=list(FLAGS))
        yield browser
        browser.close()


class Notebook:
    """One notebook, open in JupyterLab, and the game in it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.form = page.locator(".exdec-form")
        self.report = page.locator(".exdec-report:visible")
        self.where = page.locator(".exdec-where:visible")

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
        """Type units and price of some lines, and leave the last field, so that it is weighed."""
        names = {"X": "X-FINE", "F": "FINE", "S": "STANDARD"}
        for item, (units, price) in bids.items():
            name = names.get(item, item)
            self.form.get_by_label(f"{name}, units", exact=True).fill(str(units))
            dollars = self.form.get_by_label(f"{name}, price a unit in dollars", exact=True)
            dollars.fill(str(price))
            dollars.press("Tab")

    def hand_in(self, kind: str) -> None:
        expect(self.where).to_contain_text(f": {kind}")
        self.form.get_by_role("button", name="Hand in").click()

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


def open_page(page: Page, lab: Lab, name: str) -> Notebook:
    """Open a notebook, and wait until its kernel is there."""
    page.goto(lab.url(name))
    page.locator(".jp-Notebook .jp-Cell").first.wait_for(timeout=60_000)
    # The menus can be used sooner, but then they ask which kernel to use.
    expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle", timeout=60_000)
    return Notebook(page)


def save(notebook: Notebook, lab: Lab, name: str) -> str:
    """Save a notebook, and read what is in its file then."""
    page, path = notebook.page, Path(lab.folder, name)
    before = path.stat().st_mtime_ns
    # A shortcut depends on where the keyboard is.
    page.locator("[data-command='docmanager:save']:visible").first.click()
    for _ in range(400):
        # The file is emptied before it is written.
        text = path.read_text("utf-8")
        if path.stat().st_mtime_ns != before and text.endswith("}\n"):
            return text
        page.wait_for_timeout(50)
    raise AssertionError(f"{name} was not saved")


def sit_down(notebook: Notebook, player: str, pin: str = "") -> None:
    """Open the curtain, as the player it asks for."""
    button = notebook.page.get_by_role("button", name=f"I am {player}, nobody else looks")
    expect(button).to_be_visible()
    if pin:
        notebook.page.locator(".exdec-pin input").fill(pin)
    button.click()
