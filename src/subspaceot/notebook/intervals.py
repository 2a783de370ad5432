"""Confidence intervals in a notebook."""

from ..inference.interval_result import FeatureInterval, Intervals
from ..report.pictures import FOUND, Measured, ruler, share_bar
from ..runtime.digits import number
from ._parts import beside, card, confidence, head, name, remark, table

_MOST_FEATURES = 8


def html(found: Intervals) -> str:
    """Return the squared distance of the populations with its confidence interval, and those of the shares."""
    title = f"Squared distance of the populations, k = {found.k}:"
    if found.estimate is None or found.low is None or found.high is None:
        return card(head(title, "no confidence interval"), remark(found.reason or ""))
    measured = Measured("squared distance", found.estimate, found.low, found.high, FOUND)
    return card(
        head(title, number(found.estimate), confidence(found.level, found.low, found.high)),
        remark("An estimate for the laws that the rows come from; how well a number is computed is another matter."),
        beside(ruler([measured], "squared units of the data"), _features(found)),
    )


def _features(found: Intervals) -> str:
    """Return the columns with the largest shares, each with its confidence interval."""
    largest = sorted(found.features, key=lambda row: -row.share)[:_MOST_FEATURES]
    top = max([1e-9, *(max(row.share, row.high or 0.0) for row in largest)])
    together = ", simultaneous" if found.simultaneous else ""
    rows = [[name(row.name), _bar(row, top), f"{row.share:.1%}", _interval(row)] for row in largest]
    return table(["column", "share", "", f"{100.0 * found.level:g}% confidence interval{together}"], rows)


def _bar(row: FeatureInterval, top: float) -> str:
    known = None if row.low is None or row.high is None else (row.low, row.high)
    return share_bar(row.share, known, top, row.name)


def _interval(row: FeatureInterval) -> str:
    return "not identified" if row.low is None or row.high is None else f"{row.low:.1%} to {row.high:.1%}"
