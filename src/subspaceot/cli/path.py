"""`subspaceot path`: the curve over k."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..runtime.digits import above, below, number
from . import _options
from ._command import PrintedHelp
from ._errors import BadInput
from ._interrupt import interrupted
from ._output import print_json, print_line
from ._print import heading, print_table
from ._progress import path_bar
from ._rows import Sample
from ._samples import Reading, load_pair
from ._solve import leave, until_stopped, wasserstein_of
from ._testing import null_band_of
from ._write import require_picture, save_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..inference.null_band import NullBand
    from ..path import Elbow
    from ..path import Path as SrwPath
    from ..result import Result

_EXAMPLE = """\b
Examples:
  subspaceot path before.csv after.csv
  subspaceot path cells.parquet --group condition --kmax 20 --plot curve.png
"""


@click.command(cls=PrintedHelp, epilog=_EXAMPLE)
@click.argument("files", nargs=-1, required=True, metavar="A [B]")
@click.option("--kmax", metavar="K", type=click.IntRange(1), help="Largest k; 10 by default, or d if that is less.")
@_options.group
@_options.tables
@_options.labels
@click.option("--null-band", is_flag=True, help="Beside the curve, the band of those of permuted rows; takes minutes.")
@_options.permutations("Permuted curves behind the null band; 99 by default.", 99)
@_options.jobs_of("Processes for the null band; 1 by default.")
@_options.tol(1e-2)
@_options.file_option("--plot", "Draw the curve (.png, .svg, .pdf).")
@_options.as_json
def path(
    files: tuple[str, ...],
    kmax: int | None,
    group: str | None,
    reading: Reading,
    null_band: bool,
    permutations: int,
    jobs: int,
    tol: float,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Show how the distance S_k of the tables A and B grows with the number of directions k, and its elbow.

    S_k^2 / W^2 says which share of the squared Wasserstein distance W^2 the k directions explain. After the
    elbow, further directions add little. Two samples of one population are at a distance too: --null-band says which
    distances come out where rows are dealt out anew to A and B at random.
    """
    from ..tables.choice import LOOKED_AT

    if plot is not None:
        require_picture(plot)
    samples = load_pair(files, group, reading)
    last = min(LOOKED_AT, samples.d) if kmax is None else kmax
    if last > samples.d:
        raise BadInput(
            f"--kmax must be between 1 and {samples.d}, the number of columns that are compared; got {kmax}."
        )
    first, second = samples.each
    curve = _Curve.of(first, second, last, tol)
    if null_band and not interrupted():
        curve = replace(curve, band=null_band_of(samples, reading, curve.path.ks, permutations, jobs))
    if as_json:
        print_json(curve.as_json())
    else:
        curve.print()
    if plot is not None:
        saved = save_picture(plot, lambda: _draw(curve))
        if saved and not as_json:
            print_line()
            print_line(f"Picture: {plot}")
    leave(curve.path.converged)


def _draw(curve: "_Curve") -> "Axes":
    from ..plotting.curve import draw_curve

    return draw_curve(curve.path, curve.W, curve.names, elbow=curve.elbow.k, band=curve.band)


@dataclass(frozen=True, slots=True, eq=False)
class _Curve:
    """S_k for k = 1 up to some k, beside the Wasserstein distance."""

    names: tuple[str, str]
    path: "SrwPath"
    W: "Result | None"  # where it is known
    elbow: "Elbow"
    band: "NullBand | None" = None

    @classmethod
    def of(cls, first: Sample, second: Sample, last: int, tol: float) -> "_Curve":
        """Return the curve of two samples up to k = `last`."""
        from ..path.curve import srw_path
        from ..tables.choice import elbow_of

        X, Y, a, b = first.points, second.points, first.weights, second.weights
        with until_stopped(path_bar(f"distances for k = 1 to {last}", last)) as callback:
            path = srw_path(X, Y, range(1, last + 1), a, b, tol=tol, callback=callback)
        end = path.results[path.ks[-1]]
        W = end if end.k == X.shape[1] and end.converged else wasserstein_of(first, second)
        return cls((first.name, second.name), path, W, elbow_of(path, W))

    @property
    def results(self) -> "list[Result]":
        """One for each k, ascending."""
        return list(self.path.results.values())

    @property
    def shares(self) -> list[float | None]:
        """S_k^2 / W^2 for each k."""
        from ..tables.summary import share_of

        return [None if self.W is None else share_of(result, self.W) for result in self.results]

    def as_json(self) -> dict[str, Any]:
        """Return the content of the JSON object."""
        return {
            "first": self.names[0],
            "second": self.names[1],
            "k": list(self.path.ks),
            "cost": self.path.cost.tolist(),
            "lower": self.path.lower.tolist(),
            "upper": self.path.upper.tolist(),
            "status": [result.status.name for result in self.results],
            "explained": self.shares,
            "wasserstein_cost": None if self.W is None else self.W.cost,
            "elbow": self.elbow.k,
            "elbow_reason": self.elbow.reason,
            **({} if self.band is None else self._band_as_json(self.band)),
        }

    def _band_as_json(self, band: "NullBand") -> dict[str, Any]:
        """Return what the JSON object says of the null band."""
        return {
            "null_mean": band.mean.tolist(),
            "null_low": band.low.tolist(),
            "null_high": band.high.tolist(),
            "null_level": band.level,
            "excess": band.excess.tolist(),
            "p_values": band.p_values.tolist(),
            "n_permutations": band.n_permutations,
        }

    def _print_band(self, band: "NullBand") -> None:
        """Print S_k^2 beside those of permuted rows."""
        heading(f"Null band: S_k^2 where rows are dealt out anew at random, {band.n_permutations} times; solved to 3%")
        titles = ["k", "S_k^2", "mean", f"{band.level:.0%} from", "to", "excess over the mean", "p"]
        columns = (band.ks, band.cost, band.mean, band.low, band.high, band.excess, band.p_values)
        print_table(titles, [[f"{x:.4g}" for x in row] for row in zip(*columns, strict=True)])
        print_line()
        print_line("The excess is no estimate of the distance of populations; each p is for its k alone.")

    def print(self) -> None:
        """Print one line for each k, the elbow, and what did not converge."""
        title = f"{self.names[0]} and {self.names[1]}"
        print_line(title if self.W is None else f"{title}, W^2 = {number(self.W.cost)}", bold=True)
        print_line()
        rows = []
        for result, share in zip(self.results, self.shares, strict=True):
            bounds = [below(result.lower), above(result.upper)]
            explained = "" if share is None else f"{share:.1%}"
            rows.append([str(result.k), number(result.distance), number(result.cost), *bounds, explained])
        print_table(["k", "S_k", "S_k^2", "at least", "at most", "share of W^2"], rows)
        print_line()
        print_line(f"Elbow: {'none' if self.elbow.k is None else self.elbow.k}. {self.elbow.reason}")
        if self.band is not None:
            self._print_band(self.band)
        for result in self.results:
            if not result.converged:
                print_line()
                print_line(f"k = {result.k} did not converge ({result.status.name}): {result.status.value}")
