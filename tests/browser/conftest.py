"""A real JupyterLab and a real Chromium.

One server serves the whole run. It has a home of its own and a copy of the notebooks, and every
page records what it asked for and what it complained about.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lab_page import Lab, Notebook, chromium, chromium_here, open_page, serving
from playwright.sync_api import Browser, BrowserContext, Page, expect

# The usual five seconds are short on a machine that has other tests to run meanwhile.
expect.set_options(timeout=20_000)

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    home = tmp_path_factory.mktemp("lab")
    folder = home / "work"
    shutil.copytree(NOTEBOOKS, folder, ignore=shutil.ignore_patterns("games", ".*"))
    with serving(folder, home) as lab:
        yield lab


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if chromium_here() is None:
        text = "No Chromium here. Install it (apt-get install chromium) to run the browser tests."
        if os.environ.get("CI") == "true":
            pytest.fail(text)
        pytest.skip(text)
    with chromium() as browser:
        yield browser


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


@pytest.fixture
def open_notebook(context: BrowserContext, lab: Lab) -> Callable[[str], Notebook]:
    """Open a notebook as someone who has not played yet."""
    shutil.rmtree(lab.folder / "games", ignore_errors=True)

    def open_it(name: str) -> Notebook:
        return open_page(context.new_page(), lab, name)

    return open_it


@pytest.fixture
def notebook(open_notebook: Callable[[str], Notebook]) -> Notebook:
    """The first notebook."""
    return open_notebook("00_start_here.ipynb")


@pytest.fixture
def write(lab: Lab):
    """Make a notebook of one cell; it has not been run."""

    def write_it(name: str, source: str) -> str:
        cell = {
            "cell_type": "code",
            "id": "play",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": source,
        }
        kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
        whole = {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4}
        Path(lab.folder, name).write_text(json.dumps({**whole, "nbformat_minor": 5}), "utf-8")
        return name

    return write_it
