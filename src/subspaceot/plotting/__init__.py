"""Pictures, each a function from numbers to a matplotlib figure. Needs the extra `cli`; nothing here is global."""

from .canvas import FORMATS, name_of, rendered, require_matplotlib

__all__ = ["FORMATS", "name_of", "rendered", "require_matplotlib"]
