"""What there is to say of a test of two samples: as lines, and as JSON."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..runtime.digits import number
from ..runtime.lines import Line, heading, table_lines
from .finding import Finding

if TYPE_CHECKING:
    from ..inference.selection import SelectedK


@dataclass(frozen=True, slots=True, eq=False)
class Tested:
    """What a test found, and on which part of the rows."""

    finding: Finding
    names: tuple[str, str]  # of both samples
    sizes: tuple[int, int]  # rows of both, those that the test has not seen included
    scales: tuple[float, ...]  # what each column was divided by
    selection: "SelectedK | None" = None  # where the number of directions was looked for

    @property
    def found(self) -> bool:
        """Whether there is a difference."""
        return self.finding.found

    @property
    def k(self) -> int:
        """The number of directions in which differences were found."""
        return 0 if self.selection is None else self.selection.k

    @property
    def reason(self) -> str:
        """Why `k` is what it is."""
        return "as asked for" if self.selection is None else reason_for_k(self.selection)

    def answer_lines(self) -> list[Line]:
        """Return whether there is a difference, p, and what it comes from."""
        test = self.finding.test
        answer = "A difference was found" if self.found else "No difference was found"
        error = "" if test.exhaustive else f" (Monte Carlo error {number(test.monte_carlo_error, 2)})"
        which = "other labellings, all there are" if test.exhaustive else "random labellings"
        least = ", which allow no smaller p" if test.p_value <= test.smallest_p <= self.finding.alpha else ""
        texts = [
            f"{answer}: p = {number(test.p_value, 4)}{error}.",
            f"Permutation test with {test.n_permutations} {which}{least}, on {self._rows()}.",
        ]
        if test.smallest_p > self.finding.alpha:
            texts.append(f"With so few of them no data at all could have p below {number(test.smallest_p, 4)}.")
        if not self.found:
            texts.append("That is no proof that there is none: a small one may take more rows.")
        return [Line(text) for text in texts]

    def kind_lines(self) -> list[Line]:
        """Return what kind of difference it is, and in how many directions."""
        along = self.finding.along
        apart = number(abs(along.mean_X - along.mean_Y), 4)
        deviations = f"{number(along.deviation_X, 4)} and {number(along.deviation_Y, 4)}"
        texts = [
            f"Kind: {self.finding.kind}.",
            f"In the direction that shows it best the means are {apart} apart, with standard deviations {deviations}.",
        ]
        if self.selection is not None:
            k, p_values = self.selection.k, self.selection.p_values
            more = " or more" if self.selection.limited else ""
            rest = f"; in what is left p = {number(p_values[-1], 4)}" if len(p_values) > k else ""
            texts.append(f"Directions: {k}{more}, found by one test after another{rest}.")
        return [Line(text) for text in texts]

    def where_lines(self) -> list[Line]:
        """Return the columns of the direction that shows the difference best."""
        scale = dict(zip(self.finding.names, self.scales, strict=True))
        unit = ", for columns divided by their standard deviations" if self.finding.rescaled else ""
        rows = []
        for column in self.finding.columns(6):
            m, c = column.moments, scale[column.name]
            values = (m.mean_X, m.mean_Y, m.deviation_X, m.deviation_Y)
            rows.append((column.name, f"{column.weight:.2f}", *(number(c * value, 4) for value in values)))
        titles = ["", "weight", *(f"{what} in {name}" for what in ("mean", "deviation") for name in self.names)]
        return [*heading(f"Columns with the largest weights in that direction{unit}"), *table_lines(titles, rows)]

    def as_json(self, *, listed: bool) -> dict[str, Any]:
        """Return the content of the JSON object; columns only where they are to be listed."""
        test = self.finding.test
        return {
            "difference": self.found,
            "alpha": self.finding.alpha,
            "p_value": test.p_value,
            "monte_carlo_error": test.monte_carlo_error,
            "smallest_p": test.smallest_p,
            "n_permutations": test.n_permutations,
            "all_labellings": test.exhaustive,
            "n_tested": len(self.finding.X),
            "m_tested": len(self.finding.Y),
            "leading": test.leading.name,
            "components": [component.name for component in test.components],
            "component_p_values": [component.p_value for component in test.components],
            "component_scores": [component.score for component in test.components],
            "columns": list(self.finding.names) if listed else [],
            "direction": self.finding.direction.tolist() if listed else [],
            "k_found": None if self.selection is None else self.selection.k,
            "k_or_more": None if self.selection is None else self.selection.limited,
            "k_p_values": None if self.selection is None else list(self.selection.p_values),
        }

    def _rows(self) -> str:
        """Return on how many rows the test worked."""
        seen = (len(self.finding.X), len(self.finding.Y))
        if seen == self.sizes:
            return "all rows"
        if len(set(zip(seen, self.sizes, strict=True))) == 1:
            return f"{seen[0]:,} of {self.sizes[0]:,} rows a side, chosen at random"
        parts = (
            f"{'all' if n == of else f'{n:,} of'} {of:,} rows of {name}"
            for n, of, name in zip(seen, self.sizes, self.names, strict=True)
        )
        return f"{' and '.join(parts)}, chosen at random"


def reason_for_k(selection: "SelectedK") -> str:
    """Return why the number of directions is what it is where tests have selected it."""
    if not selection.k:
        return "no difference was found, and one direction is shown all the same"
    return f"{selection.k} is the most that are looked for" if selection.limited else "as many as tests found"
