"""Numbers for people: few digits, and bounds that stay bounds when they are rounded."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Context


def number(value: float, digits: int = 5) -> str:
    """Return a number with so many digits."""
    return f"{value:.{digits}g}"


def below(value: float, digits: int = 6) -> str:
    """Return a lower bound with so many digits, rounded down.

    Examples
    --------
    >>> below(2.9999999), above(2.0000001)
    ('2.99999', '2.00001')
    """
    return _rounded(value, digits, ROUND_FLOOR)


def above(value: float, digits: int = 6) -> str:
    """Return an upper bound with so many digits, rounded up."""
    return _rounded(value, digits, ROUND_CEILING)


def _rounded(value: float, digits: int, rounding: str) -> str:
    return f"{float(Context(prec=digits, rounding=rounding).create_decimal_from_float(value)):.{digits}g}"
