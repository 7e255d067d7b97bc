import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import pytest
import segno

from exdec.cli import main
from exdec.links import LinkError, links, notebook_named, repository, save_codes
from exdec.qr import drawn

HUB = "https://hub.example.org"


def urls(*words, **more):
    return {link.place: link.url for link in links(*words, **more)}


def test_each_place_opens_the_notebook():
    assert urls("ann/exdec", "02_demand", hub=HUB) == {
        "Binder": "https://mybinder.org/v2/gh/ann/exdec/main"
        "?urlpath=lab%2Ftree%2Fnotebooks%2F02_demand.ipynb",
        "JupyterHub": "https://hub.example.org/hub/user-redirect/git-pull"
        "?repo=https%3A%2F%2Fgithub.com%2Fann%2Fexdec&branch=main"
        "&urlpath=lab%2Ftree%2Fexdec%2Fnotebooks%2F02_demand.ipynb",
        "Colab": "https://colab.research.google.com/github/ann/exdec/blob/main"
        "/notebooks/02_demand.ipynb",
    }


def test_no_link_to_a_hub_where_there_is_none():
    assert list(urls("ann/exdec", "02_demand")) == ["Binder", "Colab"]


def test_a_branch_and_a_name_with_odd_letters_arrive_as_they_are():
    found = urls("ann/Year-11.kit", "year 11/ours & theirs", branch="autumn/ä#1", hub=HUB)
    assert found["Binder"].startswith(
        "https://mybinder.org/v2/gh/ann/Year-11.kit/autumn%2F%C3%A4%231?urlpath=lab%2Ftree%2F"
    )
    assert parse_qs(urlsplit(found["Binder"]).query) == {
        "urlpath": ["lab/tree/notebooks/year 11/ours & theirs.ipynb"]
    }
    assert "+" not in found["Binder"]  # which some read as a plus
    assert parse_qs(urlsplit(found["JupyterHub"]).query) == {
        "repo": ["https://github.com/ann/Year-11.kit"],
        "branch": ["autumn/ä#1"],
        "urlpath": ["lab/tree/Year-11.kit/notebooks/year 11/ours & theirs.ipynb"],
    }
    assert found["Colab"].endswith(
        "/blob/autumn/%C3%A4%231/notebooks/year%2011/ours%20%26%20theirs.ipynb"
    )


@pytest.mark.parametrize(
    "hub",
    [
        "https://example.org/jupyter",
        "https://example.org/jupyter/",
        "https://example.org/jupyter/hub",
        "https://example.org/jupyter/hub/home",
    ],
)
def test_a_hub_may_stand_below_a_path(hub):
    found = urls("ann/exdec", "02_demand", hub=hub)["JupyterHub"]
    assert found.startswith("https://example.org/jupyter/hub/user-redirect/git-pull?repo=")


@pytest.mark.parametrize("hub", ["hub.example.org", "ftp://hub.example.org", "https://", "//x"])
def test_a_hub_without_its_whole_address_is_refused(hub):
    with pytest.raises(LinkError, match=r"Give all of it: https://hub\.example\.org$"):
        links("ann/exdec", "02_demand", hub=hub)


@pytest.mark.parametrize(
    "text",
    [
        "ann/exdec",
        "https://github.com/ann/exdec",
        "https://github.com/ann/exdec/",
        "https://github.com/ann/exdec.git",
        "git@github.com:ann/exdec.git",
    ],
)
def test_a_project_goes_by_its_name_or_its_address(text):
    assert repository(text) == "ann/exdec"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "exdec",
        "ann/",
        "/exdec",
        "ann/exdec/tree",
        "ann exdec",
        "ann/ex dec",
        "-ann/exdec",
        "ann/..",
        "https://gitlab.com/ann/exdec",
        "änn/exdec",
    ],
)
def test_what_is_no_project_is_refused(text):
    with pytest.raises(LinkError, match=r"Give the owner and the name: --repo ann/exdec$"):
        repository(text)


@pytest.mark.parametrize("branch", ["", "a b", "-main", "/main", "main/", "a..b", "main?x"])
def test_what_is_no_branch_is_refused(branch):
    with pytest.raises(LinkError, match="is no branch's name"):
        links("ann/exdec", "02_demand", branch=branch)


# -- notebooks -----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    for name in ("02_demand", "instructor/host", ".ipynb_checkpoints/old"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.ipynb").write_text("{}")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("02_demand", "02_demand"),
        ("02_demand.ipynb", "02_demand"),
        ("notebooks/02_demand.ipynb", "02_demand"),
        ("instructor/host", "instructor/host"),
        ("instructor\\host.ipynb", "instructor/host"),
    ],
)
def test_a_notebook_goes_by_its_name(folder, text, name):
    assert notebook_named(text, [folder / "none", folder]) == name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("02_demnad", "There is no notebook '02_demnad'. Did you mean 02_demand?"),
        ("host", "There is no notebook 'host'. Did you mean instructor/host?"),
        ("xyz", "There is no notebook 'xyz'. There are: 02_demand, instructor/host."),
        ("", "There is no notebook ''. There are: 02_demand, instructor/host."),
    ],
)
def test_a_notebook_that_is_not_there_is_told_with_the_nearest(folder, text, said):
    with pytest.raises(LinkError) as error:
        notebook_named(text, [folder])
    assert str(error.value) == said


# -- badges and codes ----------------------------------------------------------------------------


class Anchors(HTMLParser):
    found = None

    def handle_starttag(self, tag, attributes):
        self.found = {**(self.found or {}), **dict(attributes)}


def test_badges_lead_to_the_link():
    for link in links("ann/exdec", "02_demand", hub=HUB):
        assert link.markdown == f"[![Open in {link.place}]({link.badge})]({link.url})"
        page = Anchors()
        page.feed(link.html)
        assert page.found == {
            "href": link.url, "src": link.badge, "alt": f"Open in {link.place}"
        }  # fmt: skip


def test_codes_are_pictures_in_files_of_their_own(tmp_path):
    found = links("ann/exdec", "02_demand", hub=HUB)
    files = save_codes(found, tmp_path / "code.svg")
    names = ["code-binder.svg", "code-jupyterhub.svg", "code-colab.svg"]
    assert [file.name for file in files] == names
    for file, link in zip(files, found, strict=True):
        root = ET.parse(file).getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.findtext("{http://www.w3.org/2000/svg}title") == f"Open in {link.place}"


def test_a_code_in_the_terminal_says_what_the_link_says():
    link = links("ann/exdec", "02_demand")[0]
    # Two rows of modules in a row of blocks; what is drawn is light.
    rows = drawn(link.url, "utf-8").strip("\n").splitlines()
    light = [[one in both for one in row] for row in rows for both in ("█▀", "█▄")]
    wanted = segno.make(link.url, micro=False, error="l").matrix_iter(border=4)
    modules = [[not dark for dark in row] for row in wanted]
    assert light[: len(modules)] == modules


def test_a_code_in_a_picture_says_what_the_link_says():
    link = links("ann/exdec", "02_demand")[0]
    dark = {
        (x, y)
        for y, row in enumerate(segno.make(link.url, micro=False).matrix_iter(border=4))
        for x, module in enumerate(row)
        if module
    }
    assert dark_in(link.svg()) == dark


def dark_in(svg):
    """The modules that a picture draws: strokes to the right, moved by "m" from where one ends."""
    (lines,) = re.findall(r'class="qrline"[^>]* d="M([^"]*)"', svg)
    drawn, x, y = set(), 0, 0
    for across, down, long in re.findall(r"(-?[\d.]+) (-?[\d.]+)h(\d+)", lines):
        x, y = x + int(across), y + float(down)
        drawn |= {(x + at, int(y)) for at in range(int(long))}
        x += int(long)
    return drawn


def test_no_file_is_written_over_and_none_is_left_over(tmp_path):
    (tmp_path / "code-colab.svg").write_text("mine")
    with pytest.raises(LinkError, match=r"code-colab\.svg is there already\."):
        save_codes(links("ann/exdec", "02_demand"), tmp_path / "code.svg")
    assert [file.name for file in tmp_path.iterdir()] == ["code-colab.svg"]
    with pytest.raises(LinkError, match="cannot be written: no such file or directory"):
        save_codes(links("ann/exdec", "02_demand"), tmp_path / "none" / "code.svg")


# -- the command ---------------------------------------------------------------------------------


def test_the_command_prints_link_and_badges_for_each_place(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["link", "--repo", "ann/exdec", "--notebook", "02_demand", "--svg", "code.svg"]
    assert main(words) == 0
    out = capsys.readouterr().out
    for link in links("ann/exdec", "02_demand"):
        assert f"\n  {link.url}\n" in out
        assert f"\n  {link.markdown}\n" in out
        assert f"\n  {link.html}\n" in out
    assert "JupyterHub as well" in out
    assert "█" not in out  # a code is for people, who look at a terminal
    assert "QR codes: code-binder.svg, code-colab.svg" in out


def test_the_command_finds_a_notebook_of_your_own(capsys, tmp_path, monkeypatch):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "09_ours.ipynb").write_text("{}")
    monkeypatch.chdir(tmp_path)
    assert main(["link", "--repo", "ann/exdec", "--notebook", "09_ours"]) == 0
    assert re.search(r"notebooks%2F09_ours\.ipynb$", capsys.readouterr().out, re.MULTILINE)


def test_the_command_refuses_in_one_line(capsys):
    assert main(["link", "--repo", "exdec"]) == 2
    assert main(["link", "--repo", "ann/exdec", "--notebook", "02_demnad"]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("exdec link: 'exdec' is no project on GitHub.")
    assert second == "exdec link: There is no notebook '02_demnad'. Did you mean 02_demand?"
