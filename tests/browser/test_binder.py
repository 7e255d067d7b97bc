"""What Binder does with this project, step by step, as far as a machine without Docker can."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from class_jupyter import TOKEN, Site, environment, free_port, started
from http_proxy import proxy_command
from lab_page import Notebook
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from playwright.sync_api import expect

from exdec.lab import FIRST
from exdec.links import binder_link

TREE = Path(__file__).parents[2]
BINDER = TREE / "binder"
BASE = "/user/someone-exdec-k3v9/"
SECRET = "of-the-proxy"
PATIENCE = 90_000
"""Milliseconds, on a machine that has much else to do."""

pytestmark = pytest.mark.skipif(not BINDER.is_dir(), reason="beside the wheel there is no binder/")


def pins():
    lines = (BINDER / "requirements.txt").read_text("utf-8").splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


def asked_for():
    project = tomllib.loads((TREE / "pyproject.toml").read_text("utf-8"))["project"]
    return [Requirement(one) for one in project["dependencies"]]


def test_what_binder_installs_is_pinned_as_new_as_the_project_asks():
    pinned = pins()
    for one in asked_for():
        version = pinned[canonicalize_name(one.name)]
        assert version in one.specifier, f"{one} is pinned at {version}; run binder/pin.py"


def test_the_pins_name_no_registry_and_no_path():
    text = (BINDER / "requirements.txt").read_text("utf-8")
    assert not re.search(r"^-|://|@|^/", text, re.MULTILINE)
    assert "binder/pin.py" in text.splitlines()[1]


# -- step by step --------------------------------------------------------------------------------


def uv():
    found = os.environ.get("UV") or shutil.which("uv")
    if found is None:
        pytest.skip("uv is not here; pip install uv")
    return found


def must(done):
    if done.returncode and "CI" not in os.environ:
        pytest.skip(f"the packages cannot be had, perhaps without a network: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def steps():
    """What repo2docker makes of the folder: the lines of its Dockerfile."""
    words = [uv(), "tool", "run", "-q", "--from", "jupyter-repo2docker"]
    words += ["jupyter-repo2docker", "--no-build", str(TREE)]
    told = must(subprocess.run(words, capture_output=True, text=True, timeout=300))
    return told.splitlines()


@pytest.fixture(scope="module")
def built(steps, tmp_path_factory):
    """The environment after repo2docker's own steps, in a fresh home."""
    home = tmp_path_factory.mktemp("binder")
    repo = home / "repo"
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=TREE, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for name in filter(None, files.split("\0")):
        if (TREE / name).is_file():
            (repo / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(TREE / name, repo / name)

    prefix = home / "notebook"
    wanted = (BINDER / "runtime.txt").read_text("utf-8").strip().removeprefix("python-")
    python = sys.executable
    if not sys.version.startswith(f"{wanted}."):
        found = subprocess.run([uv(), "python", "find", wanted], capture_output=True, text=True)
        python = must(found).strip()
    subprocess.run([python, "-m", "venv", str(prefix)], check=True)

    env = {
        k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "VIRTUAL", "PYTHON"))
    }
    env |= {"HOME": str(home), "KERNEL_PYTHON_PREFIX": str(prefix)}
    env["PATH"] = f"{prefix}/bin{os.pathsep}{env['PATH']}"
    ours = [line.removeprefix("RUN ") for line in steps if re.match(r"RUN .*binder/", line)]
    assert len(ours) == 3, ours
    for step in ours:
        must(
            subprocess.run(
                ["bash", "-c", step], cwd=repo, env=env, capture_output=True, text=True, timeout=600
            )
        )
    return SimpleNamespace(home=home, repo=repo, prefix=prefix, env=env)


@pytest.fixture(scope="module")
def site(built):
    """JupyterLab as Binder starts it, behind Binder's proxy."""
    port, api, behind = free_port(), free_port(), free_port()
    command = [proxy_command(), "--ip=127.0.0.1", f"--port={port}", "--log-level=warn"]
    command += ["--api-ip=127.0.0.1", f"--api-port={api}"]
    env = environment(built.home / "proxy", CONFIGPROXY_AUTH_TOKEN=SECRET)
    log = built.home / "proxy.log"
    with started(command, Site(api), log, answers="api/routes", env=env, cwd=built.home):
        target = {"target": f"http://127.0.0.1:{behind}"}
        way = f"api/routes{BASE}".rstrip("/")
        assert Site(api).ask("POST", way, target, Authorization=f"token {SECRET}")[0] == 201
        lab = [
            "jupyter-lab",
            "--ip=127.0.0.1",
            f"--port={behind}",
            "--no-browser",
            f"--ServerApp.base_url={BASE}",
            f"--ServerApp.token={TOKEN}",
            "--ServerApp.trust_xheaders=True",
            "--ServerApp.allow_root=True",
        ]
        # A browser's autosave comes every two minutes; nobody waits for that here.
        settings = built.home / ".jupyter/lab/user-settings/@jupyterlab/docmanager-extension"
        settings.mkdir(parents=True)
        (settings / "plugin.jupyterlab-settings").write_text('{"autosaveInterval": 3}')
        env = {**built.env, "BINDER_REQUEST": "v2/gh/owner/name/main"}
        log = built.home / "lab.log"
        lab[0] = str(built.prefix / "bin" / lab[0])
        site = Site(port, BASE)
        with started(lab, Site(behind, BASE), log, answers="api", env=env, cwd=built.repo):
            yield site


@pytest.fixture
def page(site, browser):
    """A learner's browser. Nothing may leave the machine."""
    elsewhere = []
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(30_000)
    context.on(
        "request",
        lambda one: (
            re.match(r"(https?|wss?)://(?!127\.0\.0\.1)", one.url) and elsewhere.append(one.url)
        ),
    )
    yield context.new_page()
    context.close()
    assert elsewhere == []


def opened(page, site, notebook, space=""):
    """Open it as Binder does, which takes the path from its link; or in a workspace of its own."""
    link = binder_link("owner/name", "main", notebook)
    path = re.search(r"\?urlpath=(.*)", link)[1].replace("%2F", "/")
    path = path.replace("lab/", f"lab/workspaces/{space}/" if space else "lab/", 1)
    page.goto(f"http://127.0.0.1:{site.port}{BASE}{path}?token={TOKEN}")
    page.locator(".jp-Notebook:visible .jp-Cell").first.wait_for(timeout=PATIENCE)
    expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle", timeout=PATIENCE)
    return Notebook(page)


@pytest.mark.slow
@pytest.mark.browser  # beside the tests that need the same environment
def test_repo2docker_reads_the_folder(steps):
    text = "\n".join(steps)
    python = (BINDER / "runtime.txt").read_text("utf-8").strip().removeprefix("python-")
    assert f"environment.py-{python}-linux" in text.replace("-2e", ".").replace("-2d", "-")
    assert 'pip install --no-cache-dir -r "binder/requirements.txt"' in text
    assert "RUN ./binder/postBuild" in text


@pytest.mark.slow
@pytest.mark.browser  # beside the tests that need the same environment
def test_nothing_is_installed_that_the_kit_does_not_use(built):
    look = [
        "import json, re, sys",
        "from importlib.metadata import distributions",
        "name = lambda text: re.sub(r'[-_.]+', '-', text).lower()",
        "print(json.dumps({name(d.name): d.requires or [] for d in distributions()}))",
    ]
    told = subprocess.run(
        [str(built.prefix / "bin" / "python"), "-c", "\n".join(look)],
        capture_output=True, text=True, check=True, env=built.env,
    ).stdout  # fmt: skip
    installed = json.loads(told)
    used, more = set(), [Requirement("exdec")]
    while more:
        one = more.pop()
        extras = {"", *one.extras}
        name = canonicalize_name(one.name)
        if (name, *sorted(extras)) not in used and name in installed:
            used.add((name, *sorted(extras)))
            more += (
                child
                for child in map(Requirement, installed[name])
                if not child.marker or any(child.marker.evaluate({"extra": x}) for x in extras)
            )
    used = {name for name, *_ in used}
    # A virtual environment begins with pip.
    assert set(installed) - used - {"pip"} <= set()
    assert set(pins()) <= used


@pytest.mark.slow
@pytest.mark.browser  # beside the tests that need the same environment
def test_jupyterlab_is_as_calm_and_light_as_exdec_lab(site):
    login = {"Authorization": f"token {TOKEN}"}
    status, _, body = site.ask("GET", f"lab/tree/{FIRST}", **login)
    assert status == 200
    told = re.search(r'<script id="jupyter-config-data"[^>]*>(.*?)</script>', body.decode(), re.S)
    settings = json.loads(told[1])
    assert settings["news"] == {"disabled": True}
    assert settings["extensionManager"]["can_install"] is False
    assert json.loads(site.ask("GET", "lab/api/update", **login)[2])["notification"] is None

    kernel = json.loads(site.ask("POST", "api/kernels", {}, **login)[2])["id"]
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    upgrade |= {"Sec-WebSocket-Key": "MTIzNDU2Nzg5MDEyMzQ1Ng=="}
    upgrade |= {"Sec-WebSocket-Extensions": "permessage-deflate"}
    status, headers, _ = site.ask("GET", f"api/kernels/{kernel}/channels", **login, **upgrade)
    assert status == 101
    assert headers["Sec-Websocket-Extensions"].startswith("permessage-deflate")
    site.ask("DELETE", f"api/kernels/{kernel}", **login)


@pytest.mark.slow
@pytest.mark.browser
def test_the_guide_opens_rendered_on_binder(page, site):
    opened(page, site, "00_start_here", space="guide")
    page.locator(".jp-BreadCrumbs-home").click()
    entry = page.locator(".jp-DirListing-item")
    entry.filter(has_text="lessons").dblclick()
    expect(page.locator(".jp-BreadCrumbs")).to_contain_text("lessons")
    # The folder above has a README.md, too.
    expect(entry.filter(has_text="01_prices")).to_be_visible()
    entry.filter(has_text="README.md").dblclick()
    expect(page.get_by_role("heading", name="The course at a glance")).to_be_visible()


@pytest.mark.slow
@pytest.mark.browser
def test_the_first_notebook_plays_on_binder_and_is_saved_by_itself(page, site, built):
    notebook = opened(page, site, "00_start_here")
    notebook.menu("Run", "Run All Cells")
    expect(notebook.form.get_by_role("button").first).to_be_visible(timeout=PATIENCE)
    notebook.bid(X=(2, 45), F=(4, 38), S=(6, 23))
    notebook.hand_in("order")
    posted = "8 X-FINE ordered, so −2: it posts at $38."
    expect(notebook.report).to_contain_text(posted, timeout=PATIENCE)
    record = built.repo / "notebooks" / "games" / "first_game.jsonl"
    assert len(record.read_text("utf-8").splitlines()) == 2

    file = built.repo / FIRST
    for _ in range(PATIENCE // 100):
        if '"execution_count": 1' in file.read_text("utf-8"):
            break
        page.wait_for_timeout(100)
    else:
        raise AssertionError("the notebook was not saved by itself")


def written(path, cells):
    """A notebook of these cells."""
    notebook = json.loads((TREE / "notebooks" / "01_prices.ipynb").read_text("utf-8"))
    like = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    notebook["cells"] = [
        {**like, "id": f"cell-{n}", "source": cell, "outputs": [], "metadata": {}}
        for n, cell in enumerate(cells)
    ]
    path.write_text(json.dumps(notebook), "utf-8")


@pytest.mark.slow
@pytest.mark.browser
def test_progress_goes_home_from_binder_and_back_into_a_fresh_one(page, site, built, tmp_path):
    cells = ['from exdec.lessons import *\n\nlesson("01")', 'check("01-1", 1)', "progress()"]
    written(built.repo / "notebooks" / "today.ipynb", cells)
    opened(page, site, "today", "today").menu("Run", "Run All Cells")
    expect(page.get_by_text("Binder forgets")).to_be_visible(timeout=PATIENCE)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download my progress").click()
    home = tmp_path / "progress.json"
    download.value.save_as(home)
    assert json.loads(home.read_text("utf-8"))["exercises"]["01-1"]["attempts"]

    (built.repo / "notebooks" / "progress.json").unlink()
    written(built.repo / "notebooks" / "tomorrow.ipynb", [cells[0], cells[2]])
    opened(page, site, "tomorrow", "tomorrow").menu("Run", "Run All Cells")
    expect(page.get_by_text("Nothing is done yet.")).to_be_visible(timeout=PATIENCE)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Load a saved progress file").click()
    chooser.value.set_files(home)
    merged = page.get_by_text("progress.json is merged with what was here")
    expect(merged).to_be_visible(timeout=PATIENCE)
