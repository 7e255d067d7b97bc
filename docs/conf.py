"""How Sphinx makes the site from pages, lessons and docstrings.

    uv run --group docs sphinx-build -W -c docs . build/site

The repository itself is the source, so that every page stands where it is read on its own, and
its links work there as well as here. No page asks another server for anything.
"""

import json
import re
from importlib.metadata import version as version_of

from mdit_py_plugins.anchors.index import slugify
from sphinx.domains.python import PythonDomain

project = "exdec"
author = "the exdec contributors"
release = version = version_of("exdec")
language = "en-GB"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".rst": "restructuredtext", ".md": "markdown", ".ipynb": "markdown"}
root_doc = "docs/index"
include_patterns = [
    "*.md",
    "docs/*.md",
    "docs/reference/*.rst",
    "lessons/README.md",
    "lessons/*/teacher.md",
    "notebooks/*.ipynb",
    "notebooks/instructor/*.ipynb",
]
exclude_patterns = [".*", "build", "dist", "node_modules", "tests", "binder"]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

default_role = "py:obj"
autodoc_default_options = {
    "members": True,
    "member-order": "bysource",
    "show-inheritance": True,
}
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 80
python_use_unqualified_type_names = True
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_param = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = f"exdec {release}"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_extra_path = ["front"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_theme_options = {
    # Furo would link each page to a host that it guesses.
    "source_repository": "",
    "top_of_page_buttons": [],
}


TO_PLAY = """:::{note}
This page only shows the notebook. To play in it, type `exdec lab` and open it there.
:::"""

# JupyterLab calls a heading by its own words, and this site by its slug.
LINK_WITHIN = re.compile(r"\]\(#([^)]+)\)")


def notebook_as_page(app, docname, source):
    """Show a notebook as its text, its code, and what its checked cells print."""
    if not str(app.env.doc2path(docname)).endswith(".ipynb"):
        return
    parts = []
    for cell in json.loads(source[0])["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            text = LINK_WITHIN.sub(lambda found: f"](#{slugify(found[1])})", text)
            parts += [text, *([] if parts else [TO_PLAY])]
            continue
        parts.append(f"~~~python\n{text}\n~~~")
        for output in cell["outputs"]:
            lines = output.get("text") or output.get("data", {}).get("text/plain", [])
            parts.append(f"~~~text\n{''.join(lines).rstrip()}\n~~~")
    source[0] = "\n\n".join(parts)


def leave_out_bare_fields(_app, _what, _name, obj, *_others):
    """Leave out fields of named tuples that have no words of their own."""
    alias = (getattr(obj, "__doc__", "") or "").startswith("Alias for field number")
    return True if alias else None


class Python(PythonDomain):
    """Python's domain, where a name that several things have is left without a link."""

    def find_obj(self, *args, **kwargs):
        found = super().find_obj(*args, **kwargs)
        return found if len(found) < 2 else []


def setup(app):
    app.add_domain(Python, override=True)
    app.connect("source-read", notebook_as_page)
    app.connect("autodoc-skip-member", leave_out_bare_fields)
