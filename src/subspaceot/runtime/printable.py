"""Text from data, made safe to show."""

import re

# Control characters (C0, DEL, C1), line and paragraph separators, bidirectional embeddings, overrides and isolates, and
# lone surrogates, which stand for the bytes of a file name that are not UTF-8.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Return the text with every character that could control a terminal, or break a line, as its escape.

    Examples
    --------
    >>> print(printable("two\nlines, \x1b[31mred"))
    two\nlines, \x1b[31mred
    """
    return _UNSAFE.sub(lambda match: repr(match.group())[1:-1], text)


def printable_json(text: str) -> str:
    r"""Return JSON text with the same characters as JSON's own escapes; they can only stand inside its strings.

    Examples
    --------
    >>> print(printable_json('"\x9b31m"'))
    "\u009b31m"
    """
    return _UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
