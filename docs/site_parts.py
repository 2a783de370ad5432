"""What the configuration of the site needs to compute: the gallery's order, formulas, docstrings."""

import importlib.util
import re
from pathlib import Path

from docutils.nodes import SkipNode
from docutils.utils.math.latex2mathml import tex2mathml

EXAMPLES = Path(__file__).parents[1] / "examples"
ORDER = (EXAMPLES / "order.txt").read_text(encoding="utf-8").split()
OPTIONAL = re.compile(r"^\s*(?:import|from) (torch|jax|anndata|scanpy)\b", re.MULTILINE)


def can_run(example):
    """Whether the optional packages that an example imports are installed."""
    code = (EXAMPLES / f"{example}.py").read_text(encoding="utf-8")
    return all(importlib.util.find_spec(name) for name in OPTIONAL.findall(code))


def gallery_order(filename):
    """Return the place of an example in the gallery."""
    return ORDER.index(Path(filename).stem)


def formula(writer, node):
    """Write a formula within a line as MathML, which browsers draw without a script."""
    writer.body.append(tex2mathml(node.astext(), as_block=False))
    raise SkipNode


def displayed_formula(writer, node):
    """Write a formula on lines of its own."""
    writer.body.append(tex2mathml(node.astext(), as_block=True))
    raise SkipNode


def escape_bars(app, what, name, obj, options, lines):
    """Keep |x| in a docstring from being read as a substitution of reStructuredText."""
    for i, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...")):
            lines[i] = re.sub(r"(?<!\\)\|", r"\\|", line)
