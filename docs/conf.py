"""The documentation site: `nox -s docs` builds it, checks its links and runs what its pages print."""

import importlib.util
import sys
from pathlib import Path

import subspaceot

sys.path.insert(0, str(Path(__file__).parent))
import site_parts

project = "subspaceot"
author = "The subspaceot developers"
release = version = subspaceot.__version__

extensions = [
    "sphinx.ext.autodoc",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "sphinx_design",
]
exclude_patterns = ["_build", "gallery/*.md5", "gallery/*.ipynb"]
nitpicky = False
default_role = "py:obj"

# Pages in Markdown. Headings can be linked to, as on any site that shows Markdown.
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]

# API pages. A front whose package is missing is described all the same.
FRONTS = ("torch", "jax", "anndata", "sklearn")
autodoc_mock_imports = [name for name in FRONTS if importlib.util.find_spec(name) is None]
autodoc_typehints = "none"
autodoc_member_order = "groupwise"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False

# The gallery. An example whose packages are missing is shown without being run.
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": "/({})\\.py$".format("|".join(name for name in site_parts.ORDER if site_parts.can_run(name))),
    "ignore_pattern": r"__init__\.py",
    "within_subsection_order": "site_parts.gallery_order",
    "download_all_examples": False,
    "show_signature": False,
    "abort_on_example_error": True,
    "capture_repr": (),
    "plot_gallery": "True",
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "subspaceot"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_sidebars = {"start": []}  # it has no pages below it
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "subspaceot"},
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": True,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
copyright = "The subspaceot developers, BSD 3-Clause"
html_math_renderer = "mathml"


def setup(app):
    """Connect what is in site_parts.py."""
    app.add_html_math_renderer("mathml", (site_parts.formula, None), (site_parts.displayed_formula, None))
    app.connect("autodoc-process-docstring", site_parts.escape_bars)
