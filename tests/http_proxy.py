"""npm's configurable-http-proxy, which stands before every JupyterHub and every Binder."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

# Node.js 18, which Debian has, is enough for this one.
PROXY = "configurable-http-proxy@5.0.1"


@cache
def proxy_command() -> str:
    """The proxy's command, installed for this run of the tests."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not here to install configurable-http-proxy; apt-get install npm")
    folder = Path(tempfile.mkdtemp(prefix="exdec-proxy-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    install = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), PROXY]
    done = subprocess.run(install, cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode and "CI" not in os.environ:
        pytest.skip(f"configurable-http-proxy cannot be had here: {done.stderr[-200:]}")
    assert done.returncode == 0, done.stderr
    return str(folder / "node_modules" / ".bin" / "configurable-http-proxy")
