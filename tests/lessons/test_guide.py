"""The teacher's guide says what the lessons, the commands and the messages say."""

import re
from html import unescape
from pathlib import Path

import pytest

import exdec
from exdec import cli, kit
from exdec.lessons.build import lesson_folders, read_lesson

LESSONS = Path(__file__).parents[2] / "lessons"
PACKAGE = Path(exdec.__file__).parent

pytestmark = pytest.mark.skipif(not LESSONS.is_dir(), reason="the guide is in a clone")


def guide():
    return (LESSONS / "README.md").read_text("utf-8")


def part(title):
    return re.split(r"^## ", guide().split(f"## {title}\n")[1], flags=re.MULTILINE)[0]


def rows(text):
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def standards(folder):
    """The standards of a teacher's plan, by number."""
    plan = (folder / "teacher.md").read_text("utf-8")
    return {int(n): name for n, name in re.findall(r"\*\*Standard (\d+), ([^.]+)\.\*\*", plan)}


def test_the_course_at_a_glance_is_that_of_the_lessons():
    expected = []
    for folder in lesson_folders(LESSONS):
        lesson = read_lesson(folder)
        plan = (folder / "teacher.md").read_text("utf-8")
        title = lesson.header["title"]
        needs = re.sub(r"\[(.+?)\]\(.+?\)", r"\1", lesson.header["needs"])
        said = re.search(r'should say at the end\.\*\* ("[^.]+\.)', plan)[1]
        expected.append(
            [
                f"{lesson.number} · [{title}](../notebooks/{lesson.notebook_name})",
                f'{said}"',
                str(lesson.header["minutes"]),
                needs.partition(".")[0],
                ", ".join(map(str, sorted(standards(folder)))),
                f"[plan]({folder.name}/teacher.md)",
            ]
        )
    assert rows(part("The course at a glance")) == expected
    assert len(expected) == 4


def test_the_standards_have_the_names_of_the_plans():
    told = part("The course at a glance").split("Economic Education): ")[1].split(". Each")[0]
    named = {}
    for folder in lesson_folders(LESSONS):
        named |= standards(folder)
    assert told == ", ".join(f"{number} {named[number]}" for number in sorted(named))


def anchors(path):
    heads = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", ["lessons/README.md", "docs/hosting.md"])
def test_links_lead_somewhere(page):
    path = LESSONS.parent / page
    links = re.findall(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)", path.read_text("utf-8"))
    assert links
    for link in links:
        if "://" in link:
            continue
        file, _, anchor = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_links_within_the_guide_jump_in_jupyterlab():
    """It names a heading by its text, with dashes for spaces."""
    text = kit.page(LESSONS / "README.md").decode()
    heads = {head.replace(" ", "-") for head in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}
    links = re.findall(r"\]\(#([^)]+)\)", text)
    assert len(links) == len(re.findall(r"\]\(#", guide())) > 8
    assert set(links) <= heads


@pytest.mark.parametrize("page", ["lessons/README.md", "docs/hosting.md"])
def test_commands_are_taken(page):
    text = (LESSONS.parent / page).read_text("utf-8")
    commands = re.findall(r"`exdec ([a-z][^`]*)`|^ {4}exdec ([a-z].*)$", text, re.MULTILINE)
    found = {(one or other).partition("  #")[0] for one, other in commands}
    assert len(found) >= 3
    for words in found:
        assert cli._read(words.split()).command == words.split()[0]


def said():
    """All that the program can say, as one text: strings that stand under each other are one."""
    files = [path for kind in ("*.py", "*.js", "*.html") for path in PACKAGE.rglob(kind)]
    text = "".join(path.read_text("utf-8") for path in files)
    return unescape(re.sub(r'"\s*\n\s*f?"', "", text))


def test_messages_of_the_troubles_are_those_of_the_program():
    known = said()
    quoted = [one for row in rows(part("When something goes wrong")) for one in
              re.findall(r'"([^"]+)"', row[0])]  # fmt: skip
    assert len(quoted) >= 10
    for message in quoted:
        for piece in filter(None, map(str.strip, message.split("…"))):
            piece = piece.removesuffix("progress.json that you saved.")  # a name stands there
            assert piece.strip(" .") in known, message


def test_every_trouble_has_something_to_do():
    for row in rows(part("When something goes wrong")):
        assert len(row) == 3, row
        assert row[0], row
        assert row[2], row
