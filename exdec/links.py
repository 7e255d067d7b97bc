"""Links by which a class opens a notebook on somebody else's machine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from io import BytesIO
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

from exdec.errors import ExdecError, shown
from exdec.record import write_new

FOLDER = "notebooks"


class LinkError(ExdecError):
    """A link would lead nowhere."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a notebook, with what a page or a projector needs of it.

    Attributes
    ----------
    place : str
        Where it leads: "Binder", "JupyterHub" or "Colab".
    url : str
        What to open.
    badge : str
        The address of the picture that readers know the place by.
    note : str
        What to know beforehand.
    """

    place: str
    url: str
    badge: str
    note: str

    @property
    def markdown(self) -> str:
        """The badge, for a README or a course page."""
        return f"[![Open in {self.place}]({self.badge})]({self.url})"

    @property
    def html(self) -> str:
        """The badge, for a page of HTML."""
        url = self.url.replace("&", "&amp;")
        return f'<a href="{url}"><img src="{self.badge}" alt="Open in {self.place}"></a>'

    def svg(self) -> str:
        """The QR code as a picture of its own, for a slide or a sheet."""
        import segno

        out = BytesIO()
        segno.make(self.url, micro=False).save(
            out, "svg", scale=8, light="#fff", title=f"Open in {self.place}"
        )
        return out.getvalue().decode()


def links(repo: str, notebook: str, *, branch: str = "main", hub: str = "") -> list[Link]:
    """Make the links to a notebook of a project on GitHub, such as a teacher's own fork.

    Parameters
    ----------
    repo : str
        "owner/name", or the address of the project's page.
    notebook : str
        Its name below ``notebooks/``, with or without ".ipynb".
    branch : str, optional
        A branch, a tag or a commit.
    hub : str, optional
        The address of a JupyterHub with nbgitpuller; no link to one if left out.

    Returns
    -------
    list of Link
        Binder, JupyterHub if there is one, and Colab.

    Raises
    ------
    LinkError
        The repository, the branch or the hub is none.

    Examples
    --------
    >>> for link in links("ann/exdec", "02_demand"):
    ...     print(link.url)
    https://mybinder.org/v2/gh/ann/exdec/main?urlpath=lab%2Ftree%2Fnotebooks%2F02_demand.ipynb
    https://colab.research.google.com/github/ann/exdec/blob/main/notebooks/02_demand.ipynb
    """
    repo = repository(repo)
    if not re.fullmatch(r"(?![-/.])(?!.*\.\.)[^\s~^:?*\[\\\x00-\x1f\x7f]+(?<![/.])", branch):
        raise LinkError(f"{shown(branch)} is no branch's name. Give it as GitHub shows it: main")
    found = [
        Link(
            "Binder",
            binder_link(repo, branch, notebook),
            "https://mybinder.org/badge_logo.svg",
            "Needs nothing, not even an account. The first start after a change takes minutes.\n"
            "Binder forgets everything ten minutes after the page is closed.",
        ),
        Link(
            "Colab",
            colab_link(repo, branch, notebook),
            "https://colab.research.google.com/assets/colab-badge.svg",
            "Needs a Google account, and a first cell of its own that installs the kit:\n"
            f"  %pip install git+https://github.com/{repo}@{branch}",
        ),
    ]
    if hub:
        to_hub = Link(
            "JupyterHub",
            hub_link(hub, repo, branch, notebook),
            "https://img.shields.io/badge/open%20in-JupyterHub-F37726",
            "Needs an account there, with nbgitpuller and exdec installed by the hub.\n"
            "Pupils keep their files, and their own changes stay.",
        )
        found.insert(1, to_hub)
    return found


def binder_link(repo: str, branch: str, notebook: str) -> str:
    """The address at which Binder builds a project and opens JupyterLab at a notebook."""
    way = _query(urlpath=f"lab/tree/{FOLDER}/{file_name(notebook)}")
    return f"https://mybinder.org/v2/gh/{repo}/{quote(branch, safe='')}?{way}"


def hub_link(hub: str, repo: str, branch: str, notebook: str) -> str:
    """The address at which nbgitpuller brings a project to a JupyterHub, and opens a notebook.

    It puts the project into a folder of the project's name.
    """
    parts = urlsplit(hub)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise LinkError(
            f"{shown(hub)} is no JupyterHub's address. Give all of it: https://hub.example.org"
        )
    base = parts.path.partition("/hub/")[0].removesuffix("/hub").rstrip("/")
    way = _query(
        repo=f"https://github.com/{repo}",
        branch=branch,
        urlpath=f"lab/tree/{repo.partition('/')[2]}/{FOLDER}/{file_name(notebook)}",
    )
    return f"{parts.scheme}://{parts.netloc}{base}/hub/user-redirect/git-pull?{way}"


def colab_link(repo: str, branch: str, notebook: str) -> str:
    """The address at which Colab opens a notebook of a project."""
    path = quote(f"{branch}/{FOLDER}/{file_name(notebook)}")
    return f"https://colab.research.google.com/github/{repo}/blob/{path}"


def repository(text: str) -> str:
    """Read a project's name, or take it from its address.

    Examples
    --------
    >>> repository("https://github.com/ann/exdec.git")
    'ann/exdec'

    Raises
    ------
    LinkError
        It is neither.
    """
    name = re.sub(r"^(https?://(www\.)?github\.com/|git@github\.com:)", "", text.strip())
    name = name.rstrip("/").removesuffix(".git")
    # GitHub's own rules for both names.
    owner = r"[A-Za-z0-9](?:[-_]?[A-Za-z0-9]){0,38}"
    if not re.fullmatch(rf"{owner}/(?!\.{{1,2}}$)[\w.-]{{1,100}}", name, re.ASCII):
        raise LinkError(
            f"{shown(text)} is no project on GitHub. Give the owner and the name: --repo ann/exdec"
        )
    return name


def file_name(notebook: str) -> str:
    """The notebook's file below ``notebooks/``."""
    return f"{notebook.removesuffix('.ipynb')}.ipynb"


def notebook_named(text: str, folders: Sequence[Path]) -> str:
    """Find a notebook by its name, without ".ipynb".

    Parameters
    ----------
    text : str
        The name, such as "02_demand", "02_demand.ipynb" or "instructor/host".
    folders : sequence of Path
        Where notebooks are.

    Raises
    ------
    LinkError
        There is none; the nearest name is offered.
    """
    known = sorted(
        {
            path.relative_to(folder).with_suffix("").as_posix()
            for folder in folders
            for path in folder.rglob("*.ipynb")
            if ".ipynb_checkpoints" not in path.parts
        }
    )
    name = text.replace("\\", "/").removeprefix("./").removeprefix(f"{FOLDER}/")
    name = name.removesuffix(".ipynb")
    if name in known:
        return name
    near = get_close_matches(name, known, n=1) or [one for one in known if name and name in one]
    hint = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(known)}."
    raise LinkError(f"There is no notebook {shown(text)}. {hint}")


def save_codes(links: Sequence[Link], file: Path) -> list[Path]:
    """Write each link's QR code into a new file: code.svg makes code-binder.svg, and so on.

    Raises
    ------
    LinkError
        A file is there already, or cannot be written; then none is left.
    """
    files = [file.with_name(f"{file.stem}-{link.place.lower()}.svg") for link in links]
    done: list[Path] = []
    try:
        for link, path in zip(links, files, strict=True):
            write_new(path, "xb", link.svg())
            done.append(path)
    except OSError as error:
        for path in done:
            path.unlink(missing_ok=True)
        if isinstance(error, FileExistsError):
            raise LinkError(f"{error.filename} is there already. Choose another name.") from None
        reason = (error.strerror or str(error)).lower()
        raise LinkError(f"{error.filename} cannot be written: {reason}.") from None
    return files


def _query(**way: str) -> str:
    # A slash and a space as %2F and %20, which every one of the places reads.
    return urlencode(way, quote_via=quote, safe="")
