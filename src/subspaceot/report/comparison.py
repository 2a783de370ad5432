"""The report on two samples."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..projected_result import ProjectedResult
from ..runtime.digits import number
from ..runtime.lines import Line, count
from ..runtime.printable import printable
from ..tables.choice import elbow_of
from ..tables.comparison import Comparison, distance_rows, status_lines
from ..tables.summary import Summary
from .columns import Column, called, columns_of, numbers_of_columns
from .page import embedded_json, page
from .pictures import BAR, FOUND, INK, Measured, curve_picture, null_picture, ruler
from .plane import Plane
from .source import Source, data_in_words

if TYPE_CHECKING:
    from ..inference.null_band import NullBand
    from ..path.curve import Path

MOST_ROWS = 100  # that the table lists
_VALUES = 3  # columns whose values the table shows for each row
_WEIGHTY = 0.05  # of 1: a direction with less weight hardly counts
_SHOWN = 6  # weights of directions that are written out
_HEADLINES = {
    True: "A difference was found",
    False: "No difference was found",
    None: "Not tested whether there is a difference",
}


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What a report shows besides a comparison, where it was computed."""

    curve: "Path | None" = None
    without_curve: str = "The curve over k was not computed."  # why there is none
    band: "NullBand | None" = None


def comparison_page(comparison: Comparison, source: Source, evidence: Evidence | None = None) -> bytes:
    """Return the report as the content of an HTML file: the same input gives the same bytes."""
    evidence = Evidence() if evidence is None else evidence
    summary = comparison.summary
    shown = comparison.listed and not summary.same
    numbers = numbers_of_columns(comparison)
    plane = Plane(comparison, numbers) if shown else None
    columns = columns_of(comparison, numbers)
    return page(
        "comparison.html",
        comparison=comparison,
        source=source,
        summary=summary,
        result=summary.result,
        names=comparison.names,
        sizes=[f"{len(labels):,} row{'s' * (len(labels) != 1)}" for labels in comparison.rows],
        d=len(summary.names),
        projected=isinstance(summary.result, ProjectedResult),
        **_powers(summary),
        shown=shown,
        headline="Both samples are the same" if summary.same else _HEADLINES[_found(comparison)],
        tone="none" if summary.same or not _found(comparison) else "found",
        answer=_answer(comparison, columns),
        tiles=_tiles(comparison),
        test=_test(comparison),
        distances=[] if summary.same else distance_rows(summary, comparison.reason, comparison.population.row()),
        population=comparison.population.remark().removesuffix(" Try -k 1."),  # advice is for who calls
        remarks=[text.replace("`", "") for text in _texts(status_lines(summary.result))],
        ruler=None if summary.same else ruler(_measured(comparison), comparison.unit),
        directions=_directions(comparison),
        soft=_soft(comparison),
        why=_why(comparison),
        rest=_percent(1.0 - sum(column.share for column in columns)),
        curve=_curve(comparison, evidence),
        plane=plane,
        columns=columns,
        intervals=any(column.identified for column in columns),
        rows=_rows(comparison, numbers) if shown else [],
        value_names=[printable(summary.names[j]) for j in numbers[:_VALUES]],
        data=embedded_json(None if plane is None else plane.data()),
        number=number,
        done=data_in_words(summary.names, comparison.unit, _weighing(comparison, source)),
        certificate=_certificate(comparison),
    )


# Is there a difference? -----------------------------------------------------------------------------------------------


def _found(comparison: Comparison) -> bool | None:
    return None if comparison.tested is None else comparison.tested.found


def _answer(comparison: Comparison, columns: Sequence[Column]) -> list[str]:
    """Return the answer in a few sentences."""
    if comparison.summary.same:
        return ["They are the same as weighted sets of rows, so that every distance between them is 0."]
    texts = []
    if comparison.tested is None:
        why = (comparison.untested or "").rstrip(".")
        texts.append(f"It remains open whether chance alone explains what follows ({why}).")
    if comparison.tested is not None:
        p = comparison.tested.finding.test.p_value
        chance = "" if comparison.tested.found else ", so that chance alone may explain it"
        often = f"in about {100.0 * p:.3g}% of all cases (p = {number(p, 4)})"
        texts.append(f"Dealing out the same rows anew at random shows a difference at least as large {often}{chance}.")
        if not comparison.tested.found:
            texts.append("That is no proof that there is none: a small difference may take more rows to be seen.")
    if columns and _found(comparison) is not False:  # --force lists them, and they are no finding
        said = [f"{called(column.name)} ({column.share:.0%})" for column in columns[:3]]
        listed = said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"
        which = "column that contributes" if len(said) == 1 else "columns that contribute"
        verb = "is" if len(said) == 1 else "are"
        texts.append(f"The {which} most to the distance {verb} {listed}.")
    return texts


def _tiles(comparison: Comparison) -> list[tuple[str, str, str]]:
    """Return what the most important numbers are called, the numbers, and a remark on each."""
    if comparison.summary.same:
        return [("Distance", "0", "exactly")]
    tiles = []
    if comparison.tested is not None:
        test = comparison.tested.finding.test
        tiles.append(("p-value", number(test.p_value, 4), f"permutation test, {test.n_permutations} labellings"))
    *rows, directions = distance_rows(comparison.summary, comparison.reason, comparison.population.row())
    selection = None if comparison.tested is None else comparison.tested.selection
    if selection is not None:
        found = f"{selection.k}{' or more' * selection.limited}"
        directions = ("Directions found", found, "by one test after another")
    return [*tiles, *(row for row in rows if not row[0].startswith("Wasserstein")), directions]


def _test(comparison: Comparison) -> "dict[str, Any] | None":
    """Return what the test says in lines, what it looked at, and its picture; None where there was no test."""
    tested = comparison.tested
    if tested is None or comparison.summary.same:
        return None
    lines = [*tested.answer_lines(), *(tested.kind_lines() if comparison.listed else [])]
    return {"lines": _texts(lines), "picture": null_picture(tested.finding.test), "found": tested.found}


def _powers(summary: Summary) -> dict[str, str]:
    """Return what kind of mean the distance is, and what its power is called."""
    if summary.power == 2.0:
        return {"mean": "a root mean square", "power": f"{summary.symbol}²"}
    p = number(summary.power)
    return {"mean": f"the root of order {p} of the mean of powers {p}", "power": f"{summary.symbol} to the power {p}"}


# How large, and in how many directions? -------------------------------------------------------------------------------


def _measured(comparison: Comparison) -> list[Measured]:
    """Return the distances with their intervals, to be drawn on one ruler."""
    summary, population = comparison.summary, comparison.population.found
    low, high = summary.distance_interval
    rows = [Measured(f"{summary.symbol} of these rows", summary.result.distance, low, high, BAR)]
    if summary.W is not None:
        W = summary.W
        rows.append(
            Measured("W of these rows", W.distance, float(np.sqrt(max(W.lower, 0.0))), float(np.sqrt(W.upper)), INK)
        )
    if population is not None and population.low is not None and population.high is not None:
        middle, low, high = (
            float(np.sqrt(value or 0.0)) for value in (population.estimate, population.low, population.high)
        )
        rows.append(Measured(f"W of the populations, {comparison.population.title}", middle, low, high, FOUND))
    return rows


def _directions(comparison: Comparison) -> list[tuple[int, str, str]]:
    """Return number, p and verdict of each test that looked for one more direction."""
    selection = None if comparison.tested is None else comparison.tested.selection
    if selection is None:
        return []
    verdicts = [
        "a difference was found" if at < selection.k else "none was found" for at in range(len(selection.p_values))
    ]
    return [(at + 1, number(p, 4), said) for at, (p, said) in enumerate(zip(selection.p_values, verdicts, strict=True))]


def _why(comparison: Comparison) -> str:
    """Return in a sentence how many directions the distance looks at, and why."""
    tested, summary = comparison.tested, comparison.summary
    if tested is not None and tested.selection is not None and not tested.k:
        return f"None was found in which the samples differ; {summary.symbol} looks at one all the same."
    return f"{summary.symbol} looks at {count(summary.result.k, 'direction')}: {comparison.reason.rstrip('.')}."


def _soft(comparison: Comparison) -> str:
    """Return a remark where more than k directions count, as no k of them stand out from the rest."""
    result = comparison.summary.result
    values = [float(value) for value in result.spectrum if value >= _WEIGHTY]
    if len(values) <= result.k or comparison.summary.same:
        return ""
    shown = ", ".join(number(value, 2) for value in values[:_SHOWN]) + (", ..." if len(values) > _SHOWN else "")
    weighed = f"{comparison.summary.symbol} weighs {len(values)} directions, by {shown}"
    return f"The border between those that count and the rest is not sharp: {weighed}."


def _curve(comparison: Comparison, evidence: Evidence) -> dict[str, Any]:
    """Return the curve over k with a sentence on its elbow, or why there is none."""
    W, path = comparison.summary.W, evidence.curve
    if path is None or W is None or comparison.summary.same:
        return {"picture": None, "remark": evidence.without_curve, "band": None}
    elbow = elbow_of(path, W)
    return {
        "picture": curve_picture(path, W.cost, elbow.k, evidence.band),
        "remark": f"Elbow: {'none' if elbow.k is None else elbow.k}. {elbow.reason}",
        "band": evidence.band,
    }


# Rows, and the proof -------------------------------------------------------------------------------------------------


def _rows(comparison: Comparison, columns: Sequence[int]) -> list[dict[str, Any]]:
    """Return the rows of the first sample with the largest displacement, and where they go."""
    of_X, of_Y = comparison.rows
    frame = comparison.summary.result.problem.frame
    return [
        {
            "label": printable(str(of_X[moved.i])),
            "length": moved.length,
            "to": printable(str(of_Y[moved.j])),
            "part": moved.part,
            "values": [float(frame.X[moved.i, j]) * comparison.scales[j] for j in columns[:_VALUES]],
        }
        for moved in comparison.summary.displacements(MOST_ROWS)
    ]


def _certificate(comparison: Comparison) -> list[tuple[str, str, str]]:
    """Return name, number and meaning of what the proof consists of, with all digits."""
    result, W = comparison.summary.result, comparison.summary.W
    squared = f"{comparison.summary.symbol}^{number(comparison.summary.power)}"
    ones = "a one and zeros" if result.k == 1 else f"{result.k} ones and zeros"
    spectrum = ", ".join(number(round(float(value), 6), 4) for value in result.spectrum[: result.k + 3])
    rows = [
        (f"{squared} is at least", repr(result.lower), "proven by potentials, rounding counted"),
        (f"{squared} is at most", repr(result.upper), "proven by a plan, rounding counted"),
        ("relative width", number(result.gap, 3), "of this interval"),
        ("status", result.status.name, result.status.value.replace("`", "")),
        ("steps", str(result.n_iter), "of the solver"),
        ("weights of directions", spectrum, f"largest eigenvalues of Omega; {ones} if as many directions stand out"),
    ]
    if W is not None:
        rows.append(("W^2 is at least", repr(W.lower), "proven in the same way"))
        rows.append(("W^2 is at most", repr(W.upper), "proven in the same way"))
    return rows


def _weighing(comparison: Comparison, source: Source) -> str:
    """Return how the rows were weighed."""
    if source.weights is not None:
        return f"Rows weigh as {source.weights} says."
    problem = comparison.summary.result.problem
    massless = problem.frame.n + problem.frame.m - len(problem.a) - len(problem.b)
    if not massless and all(np.all(weights == weights[0]) for weights in (problem.a, problem.b)):
        return "All rows of a sample weigh the same."
    left_out = f"; {count(massless, 'row')} of weight 0 do not count" if massless else ""
    return f"Rows have the weights that were given{left_out}."


def _percent(share: float) -> str:
    return "less than 0.1%" if share < 0.0005 else f"{share:.1%}"


def _texts(lines: Sequence[Line]) -> list[str]:
    return [line.text for line in lines if line.text]
