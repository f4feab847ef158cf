"""Settings of the documentation site; ``make site`` collects its pages (.ci/build_site.py) and builds them."""

import re
from pathlib import PurePosixPath

import dpframe

project = "dpframe"
author = copyright = "The dpframe developers"  # noqa: A001  # Sphinx's name
release = version = dpframe.__version__
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax"]
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
suppress_warnings = ["ref.python"]  # the "d" of a shape (k, d) in a docstring is no reference
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
napoleon_custom_sections = ["Formal guarantees"]
autodoc_typehints = "none"  # the sections of a docstring say them
autodoc_member_order = "bysource"

html_theme = "furo"
html_title = f"dpframe {version}"
html_copy_source = False
html_show_sphinx = False

PAGE = re.compile(r"\bdocs/(?P<page>[\w/-]+)\.md(?:#(?P<anchor>[\w-]+))?")


CODE = re.compile(r"(``.+?``|:[\w:]+:`.+?`)")
MARKUP = re.compile(r"(?<!\\)\||(?<![\w\\])\w+(?<!\\)_(?![\w`])")


def plain(line):
    """A line of a docstring in which |x| and means_ are no markup."""
    if line.lstrip().startswith((".. ", ">>>", "...")):
        return line
    parts = CODE.split(line)
    parts[::2] = [MARKUP.sub(lambda m: m[0][:-1] + "\\" + m[0][-1], part) for part in parts[::2]]
    return "".join(parts)


def link_pages(app, what, name, obj, options, lines):
    """Where a docstring names a page of docs/, link to it."""
    up = "../" * (len(PurePosixPath(app.env.current_document.docname).parts) - 1)
    for number, line in enumerate(lines):
        lines[number] = PAGE.sub(lambda m: _link(m, up), plain(line))


def _link(match, up):
    page, anchor = match["page"], match["anchor"]
    target = f"{up}{page}.html" + (f"#{anchor}" if anchor else "")
    words = f"{page}, {anchor.replace('-', ' ')}" if anchor else page
    return f"`{words} <{target}>`__"


def mark_anchors(app, doctree):
    """Let links reach what they reach where the Markdown is read without a build: ``<a id="...">``, every heading."""
    slugs = app.env.metadata[app.env.current_document.docname].setdefault("myst_slugs", {})
    for raw in doctree.findall(lambda node: node.tagname == "raw"):
        for name in re.findall(r"<a id=\"([^\"]+)\"", raw.astext()):
            slugs[name] = (raw.line, name, name)
    for section in doctree.findall(lambda node: node.tagname == "section" and "slug" in node):
        if section["slug"] not in section["ids"]:  # Sphinx's own leave out leading numbers
            section["ids"].append(section["slug"])


def leave_out(app, what, name, obj, skip, options):
    """What scikit-learn adds to an estimator for metadata routing is described there."""
    return skip or bool(re.fullmatch(r"set_\w+_request", name.rpartition(".")[2])) or None


def setup(app):
    app.connect("autodoc-skip-member", leave_out)
    app.connect("autodoc-process-docstring", link_pages, priority=600)  # after napoleon
    app.connect("doctree-read", mark_anchors)
