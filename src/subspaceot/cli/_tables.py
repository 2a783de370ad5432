"""What `pairwise` and `text` share: the distances of all pairs, printed, drawn and written."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import BadInput
from ._options import Command, file_option
from ._output import print_line
from ._page import require_report
from ._print import heading, print_table
from ._stderr import watched
from ._write import require_picture, require_writable, save, save_picture

if TYPE_CHECKING:
    from ..report import Pairs
    from ..runtime.types import Array
    from ..tables.pair_tests import PairTests


@dataclass(frozen=True, slots=True)
class Outputs:
    """The files that were asked for."""

    table: Path | None
    heatmap: Path | None
    map: Path | None
    report: Path | None
    cloud: Path | None = None

    @property
    def files(self) -> list[Path]:
        """Those that are to be written."""
        return [path for path in (self.table, self.heatmap, self.map, self.report, self.cloud) if path is not None]

    def require(self) -> None:
        """Refuse file names that cannot be written, before any work is done."""
        for path in self.files:
            if path is self.table:
                require_writable(path, ("csv",))
            elif path is self.report:
                require_report(path)
            else:
                require_picture(path)
        if len({path.resolve() for path in self.files}) < len(self.files):
            raise BadInput("Every output needs a file of its own; two of them have the same name.")


def print_saved(files: Sequence[Path]) -> None:
    """Print which files were written."""
    if files:
        print_line()
        print_line(f"Written: {', '.join(map(str, files))}")


def outputs(function: Command) -> Command:
    """Add the options that name files for the table; the command gets them as one `outputs`."""

    @file_option("--table", "Write one row per pair, with distance and bounds (.csv).")
    @file_option("--heatmap", "Draw the table (.png, .svg, .pdf).")
    @file_option("--map", "Draw a map whose distances resemble the table's (.png, .svg, .pdf).")
    @file_option("--report", "Write the answer as a page to send to a colleague (.html).")
    @wraps(function)
    def with_outputs(
        *,
        table: Path | None,
        heatmap: Path | None,
        map: Path | None,
        report: Path | None,
        cloud: Path | None = None,
        **rest: Any,
    ) -> Any:
        return function(outputs=Outputs(table, heatmap, map, report, cloud), **rest)

    return with_outputs


@dataclass(frozen=True, eq=False)
class AllPairs:
    """The distances between all pairs, with their bounds."""

    names: list[str]
    k: int
    distance: "Array"  # (N, N)
    lower: "Array"
    upper: "Array"
    converged: bool  # every pair
    tests: "PairTests | None" = None

    @classmethod
    def of(
        cls, names: list[str], measures: Sequence[Any], k: int, *, tol: float, reg: float | None, jobs: int
    ) -> "AllPairs":
        """Return the distances of all pairs, with a progress bar where someone watches."""
        import subspaceot as sot

        method = "auto" if reg is None else "frank-wolfe"
        found = sot.pairwise(measures, k, tol=tol, reg=reg, method=method, n_jobs=jobs, progress=watched())
        return cls(names, k, found.distance, found.lower, found.upper, found.converged)

    @cached_property
    def map(self) -> "tuple[Array, float]":
        """Points in the plane (N, 2) whose distances resemble these, and their stress."""
        from ..tables.mds import metric_mds

        return metric_mds(self.distance)

    @property
    def gap(self) -> float:
        """The largest relative width of an interval of squared distances."""
        squares = self.upper**2
        widths = np.divide(squares - self.lower**2, squares, out=np.zeros_like(squares), where=squares > 0.0)
        return float(widths.max())

    def save(self, outputs: Outputs, unit: str) -> list[Path]:
        """Write what was asked for, and return the files that could be written."""
        from ..plotting import name_of

        what = f"{name_of(self.k)}, in {unit}"
        saved = []
        if outputs.table is not None and save(outputs.table, self._csv()):
            saved.append(outputs.table)
        if outputs.heatmap is not None:
            from ..plotting.heatmap import draw_heatmap

            if save_picture(outputs.heatmap, lambda: draw_heatmap(self.distance, self.names, what=what)):
                saved.append(outputs.heatmap)
        if outputs.map is not None:
            from ..plotting.map import draw_map

            if save_picture(outputs.map, lambda: draw_map(*self.map, self.names, what=what)):
                saved.append(outputs.map)
        return saved

    def for_report(self, sizes: Sequence[str], what: str, d: int, unit: str) -> "Pairs":
        """Return what a page shows; `sizes` are those of the samples in words, `what` is what they are called."""
        from ..report import Pairs

        places, stress = self.map
        return Pairs(
            names=self.names,
            sizes=sizes,
            what=what,
            k=self.k,
            d=d,
            unit=unit,
            distance=self.distance,
            lower=self.lower,
            upper=self.upper,
            gap=self.gap,
            converged=self.converged,
            places=places,
            stress=stress,
            tests=self.tests,
        )

    def print(self) -> None:
        """Print the distances, the smallest of each row with a star."""
        N = len(self.names)
        off = np.where(np.eye(N, dtype=bool), np.inf, self.distance)
        nearest = np.argmin(off, axis=1)
        rows = []
        for i, name in enumerate(self.names):
            cells = [f"{self.distance[i, j]:.4g}{'*' if j == nearest[i] else ' '}" for j in range(N)]
            rows.append([name, *cells])
        print_table(["", *(f"{name} " for name in self.names)], rows)
        print_line()
        print_line(f"* nearest in its row. Solver bounds of squared distances: relative width at most {self.gap:.1e}.")
        if not self.converged:
            print_line("Not converged: some intervals are wider than --tol, but valid.")
        if self.tests is not None:
            self._print_tests(self.tests)

    def _print_tests(self, tests: "PairTests") -> None:
        """Print the corrected p-values, those of a difference with a star."""
        heading(f"Is there a difference? p-values corrected for {tests.pairs} pairs (Holm)")
        rows = []
        for i, name in enumerate(self.names):
            cells = [f"{p:.3g}{'*' if p <= tests.alpha else ' '}" for p in tests.corrected[i]]
            cells[i] = "- "
            rows.append([name, *cells])
        print_table(["", *(f"{name} " for name in self.names)], rows)
        print_line()
        print_line(f"* a difference was found, p at most {tests.alpha:g}. No star is no proof that there is none.")
        if tests.smallest > tests.alpha:
            print_line(
                f"With {tests.n_permutations} labellings no corrected p can be below {tests.smallest:.2g}: take more "
                f"--permutations."
            )

    def as_json(self) -> dict[str, Any]:
        """Return the content of the JSON object."""
        points, stress = self.map
        return {
            "names": self.names,
            "k": self.k,
            "distances": self.distance.tolist(),
            "lowers": self.lower.tolist(),
            "uppers": self.upper.tolist(),
            "widest_gap": self.gap,
            "converged": self.converged,
            "map": points.tolist(),
            "stress": stress,
            **({} if self.tests is None else self._tests_as_json(self.tests)),
        }

    def _tests_as_json(self, tests: "PairTests") -> dict[str, Any]:
        """Return what the JSON object says of the tests."""
        return {
            "p_values": tests.p_value.tolist(),
            "corrected_p_values": tests.corrected.tolist(),
            "alpha": tests.alpha,
            "n_permutations": tests.n_permutations,
        }

    def _csv(self) -> bytes:
        """Return one row per pair."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        titles = ["first", "second", "k", "distance", "lower", "upper"]
        matrices = [self.distance, self.lower, self.upper]
        if self.tests is not None:
            titles += ["p_value", "corrected_p_value"]
            matrices += [self.tests.p_value, self.tests.corrected]
        writer.writerow(titles)
        for i, j in zip(*np.triu_indices(len(self.names), 1), strict=True):
            bounds = [repr(float(M[i, j])) for M in matrices]
            writer.writerow([self.names[i], self.names[j], self.k, *bounds])
        return out.getvalue().encode("utf-8", "surrogateescape")  # a file name may hold bytes that are not UTF-8
