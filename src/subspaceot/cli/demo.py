"""`subspaceot demo`: a first answer, on data that come with scikit-learn."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from ..runtime.digits import number
from ._command import PrintedHelp
from ._errors import bad_input
from ._options import Testing
from ._output import print_line
from ._print import heading, print_lines, print_table
from ._progress import spinner
from ._rows import Sample
from ._samples import Reading, Samples
from ._solve import compared, leave
from ._testing import LABELLINGS, permutation_test
from ._write import require_picture, save_picture

if TYPE_CHECKING:
    from ..path import Path as SrwPath
    from ..result import Result
    from ..tables.summary import Summary

_EXAMPLE = """\b
Example:
  subspaceot demo --out pictures
"""


@click.command(cls=PrintedHelp, epilog=_EXAMPLE)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path),
    default=Path("."),
    help="Folder for both pictures, made if it is not there; the current one by default.",
)
def demo(out: Path) -> None:
    """Compare handwritten ones with handwritten sevens: 8 by 8 pixels, so points in 64 dimensions.

    Prints how far apart they are, in which pixels, and which one becomes which seven, and writes two pictures. The
    images come with scikit-learn; nothing is downloaded.
    """
    from ..path.curve import srw_path
    from ..tables.choice import LOOKED_AT, elbow_of
    from ..tables.comparison import distance_lines

    files = _require_files(out)
    samples = _digits(1, 7)
    first, second = samples.each
    test = permutation_test(samples, Reading(), Testing(LABELLINGS, 0.05, force=False, jobs=1))
    summary = compared(samples, 2, 1e-4)
    with spinner("the curve over k"):
        curve = srw_path(first.points, second.points, range(1, LOOKED_AT + 1), tol=1e-2)
    assert summary.W is not None  # as `compared` always solves it
    elbow = elbow_of(curve, summary.W)
    sizes = f"{len(first.points)} images of a one against {len(second.points)} of a seven, {samples.d} pixels each"
    print_line(sizes, bold=True)
    print_line()
    print_lines(test.answer_lines())
    print_line()
    print_lines(distance_lines(summary, "a plane, which can be drawn"))
    print_line()
    print_line(f"Elbow of the curve over k: {elbow.k}. {elbow.reason}")
    _print_pixels(summary)
    _print_displacements(summary, samples)
    saved = _save_pictures(files, summary.result, summary.W, samples, curve, elbow.k)
    if saved:
        print_line()
        print_line(f"Pictures: {', '.join(saved)}")
    leave(summary.result.converged and curve.converged)


def _require_files(out: Path) -> tuple[Path, Path]:
    """Return the files of both pictures, which can be written."""
    files = (out / "demo-plane.png", out / "demo-curve.png")
    with bad_input():
        out.mkdir(parents=True, exist_ok=True)
    for file in files:
        require_picture(file)
    return files


def _print_pixels(summary: "Summary") -> None:
    """Print the pixels with the largest shares of the cost."""
    heading("Pixels that contribute most, with their mean ink (0 to 16)")
    print_table(
        ["", "share", "in a one", "in a seven"],
        [(f.name, f"{f.share:.1%}", f"{f.mean_X:.1f}", f"{f.mean_Y:.1f}") for f in summary.features(6)],
    )


def _print_displacements(summary: "Summary", samples: Samples) -> None:
    """Print the ones with the largest displacement, and the first of them beside the seven that it becomes."""
    heading("Ones with the largest displacement")
    largest = summary.displacements(2)
    print_table(
        ["", "displacement", "mostly to"],
        [(f"one number {p.i + 1}", number(p.length), f"seven number {p.j + 1} ({p.part:.0%} of it)") for p in largest],
    )
    i, j = largest[0].i, largest[0].j
    heading(f"One number {i + 1} becomes seven number {j + 1}")
    first, second = samples.each
    for left, right in zip(_ink(first.points[i]), _ink(second.points[j]), strict=True):
        print_line(f"  {left}  {right}".rstrip())


def _save_pictures(
    files: tuple[Path, Path], result: "Result", W: "Result", samples: Samples, curve: "SrwPath", elbow: int | None
) -> list[str]:
    """Draw the plane and the curve, and return the files that could be written."""
    from ..plotting.curve import draw_curve
    from ..plotting.images import add_images
    from ..plotting.plane import draw_plane

    names = ("ones", "sevens")
    first, second = (sample.points.reshape(-1, 8, 8) for sample in samples.each)
    plane = draw_plane(result, names, unit="units of ink")
    add_images(plane, result, (first, second))
    drawings = (lambda: plane, lambda: draw_curve(curve, W, names, elbow=elbow))
    return [str(file) for file, draw in zip(files, drawings, strict=True) if save_picture(file, draw)]


def _digits(one: int, other: int) -> Samples:
    """Return the images of two digits as samples."""
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    samples = []
    for digit in (one, other):
        points = images[labels == digit]
        samples.append(Sample(str(digit), points, None, np.arange(1, len(points) + 1)))
    pixels = tuple(f"row {row + 1}, column {column + 1}" for row in range(8) for column in range(8))
    return Samples(tuple(samples), pixels, (1.0,) * 64)


def _ink(image: np.ndarray) -> list[str]:
    """Return the eight rows of an image as text."""
    return ["".join(" .:*#"[round(ink / 4)] * 2 for ink in row) for row in image.reshape(8, 8)]
