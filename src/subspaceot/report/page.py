"""From a template to one HTML file that needs nothing else and lets nothing else in."""

import base64
import hashlib
import json
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..runtime.printable import printable
from ..svg import Markup

if TYPE_CHECKING:
    from jinja2 import Environment

# What could end the element around it, or the line that it stands on. JSON has its own escapes for all characters.
_JSON_ESCAPES = str.maketrans({character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"})


def require_jinja() -> None:
    """Raise an ImportError that names the extra to install where Jinja is missing."""
    try:
        import jinja2  # noqa: F401
    except ImportError as error:
        raise ImportError("A report needs Jinja. Install it with: pip install 'subspaceot[report]'") from error


def page(template: str, **content: Any) -> bytes:
    """Return a template filled in, as the content of a file; text from data is escaped wherever it stands.

    The browser runs the one script of the page, whose hash its content security policy names, and loads nothing.
    """
    style, script = _text("style.css"), _text("page.js")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'; "
        f"form-action 'none'"
    )
    filled = (
        _environment()
        .get_template(template)
        .render(style=Markup(style), script=Markup(script), policy=Markup(policy), version=__version__, **content)
    )
    return filled.encode("utf-8", "backslashreplace")


def embedded_json(content: Any) -> Markup:
    r"""Return JSON that can stand within a script element: no character of it can end that.

    Examples
    --------
    >>> print(embedded_json(["</script>", 1]))
    ["\u003c/script\u003e",1]
    """
    text = json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Markup(text.translate(_JSON_ESCAPES))


@cache
def _environment() -> "Environment":
    require_jinja()
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(_text),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _shown(value: Any) -> Any:
    """Return what a template writes for a value: control characters as their escapes."""
    return printable(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


@cache
def _text(name: str) -> str:
    return resources.files(__package__).joinpath("templates", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
