"""The tuned numbers of source code: numeric literals that could be others without making the mathematics wrong."""

import ast
import io
import tokenize
from dataclasses import dataclass
from itertools import pairwise

SHAPED = {"broadcast_to", "empty", "full", "ones", "reshape", "zeros"}  # functions whose first arguments are shapes
POWERS = {"ndim", "p"}  # what is compared with 2 because it is squared distances, or matrices


@dataclass(frozen=True)
class Literal:
    """A numeric literal that counts: its value, where it stands, and whether it has a name of its own."""

    value: float
    line: int
    start: int
    end: int
    named: bool = False


def counted(source):
    """Return the literals of a module that count as tuned, formulas not yet taken away.

    Every int and float counts, but for
    * 0, 1, -1 and 2 within expressions; in comparisons 0 and 1 alone; as a module's constant, a field's default
      none of them, and as a parameter's default 0 and 1,
    * indices, bounds of slices up to 2, axes, shapes,
    * 2 where `p` or `ndim` is compared with it,
    * exponents; a power of two literals, as 2.0**-20, is one literal.
    """
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found = []
    for node in ast.walk(tree):
        if not _is_literal(node) or _is_literal(parents[node]):
            continue
        above = [node]
        while above[-1] in parents:
            above.append(parents[above[-1]])
        home = _home(above)
        if not _is_free(node, above, home):
            named = home in ("constant", "field")
            found.append(Literal(_value(node), node.lineno, node.col_offset, node.end_col_offset, named))
    return sorted(found, key=lambda literal: (literal.line, literal.start))


def uncommented(source, literals):
    """Return those of the named literals whose statement has no comment on its lines or alone on the line above."""
    comments = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            comments[token.start[0]] = token.line.strip().startswith("#")
    spans = [(node.lineno, node.end_lineno) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
    silent = []
    for literal in literals:
        first, last = max((span for span in spans if span[0] <= literal.line <= span[1]), default=(literal.line,) * 2)
        if literal.named and not comments.get(first - 1) and not any(n in comments for n in range(first, last + 1)):
            silent.append(literal)
    return silent


def _is_literal(node):
    if isinstance(node, ast.Constant):
        return type(node.value) in (int, float)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _is_literal(node.operand)
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Pow)
        and _is_literal(node.left)
        and _is_literal(node.right)
    )


def _value(node):
    return eval(compile(ast.Expression(node), "<literal>", "eval"))  # of literals alone


def _is_free(node, above, home):
    value, parent = _value(node), above[1]
    if _is_exponent(above) or _is_index(above) or _is_axis_or_shape(above):
        return True
    if isinstance(parent, ast.Compare) and value == 2 and {_name(x) for x in ast.iter_child_nodes(parent)} & POWERS:
        return True
    if isinstance(node, ast.BinOp) or home in ("constant", "field"):
        return False
    if home == "parameter" or any(isinstance(x, ast.Compare) for x in above):
        return value in (0, 1)
    return value in (0, 1, -1, 2)


def _home(above):
    """Return what the literal is part of the value of: "constant", "field", "parameter", or "" for an expression."""
    for child, node in pairwise(above):
        if isinstance(node, ast.arguments):
            return "parameter"
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            return ""
        if isinstance(node, ast.ClassDef):
            return "field" if isinstance(child, (ast.Assign, ast.AnnAssign)) else ""
        if isinstance(node, ast.Module):
            return "constant" if isinstance(child, (ast.Assign, ast.AnnAssign)) else ""
    return ""


def _is_exponent(above):
    pairs = pairwise(above)
    return any(isinstance(x, ast.BinOp) and isinstance(x.op, ast.Pow) and x.right is child for child, x in pairs)


def _is_index(above):
    """Return whether the literal is an index, or what is added to one; of slices, a bound of at most 2."""
    for child, node in pairwise(above):
        if isinstance(node, ast.Subscript):
            return child is node.slice
        if isinstance(node, ast.Slice):
            return child is above[0] and abs(_value(child)) <= 2
        if not isinstance(node, ast.Tuple) and not (
            isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
        ):
            return False
    return False


def _is_axis_or_shape(above):
    node = above[0]
    parent = above[1]
    if isinstance(parent, ast.Tuple):
        node, parent = parent, above[2]
    if isinstance(parent, ast.keyword):
        return parent.arg in ("axis", "shape")
    if not isinstance(parent, ast.Call) or node not in parent.args:
        return False
    name = _name(parent.func)
    return name in SHAPED and (name == "reshape" or parent.args.index(node) == 0)


def _name(node):
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
