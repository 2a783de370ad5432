"""The report on a result of Python's."""

from typing import TYPE_CHECKING

from ..core import validate
from ..inference.null_band import NullBand
from ..path.curve import Path
from ..projected_result import ProjectedResult
from ..result import Result
from ..runtime.files import write_whole
from ..tables.of_result import comparison_of
from .comparison import Evidence, comparison_page
from .page import require_jinja
from .source import Source

if TYPE_CHECKING:
    from os import PathLike


def write_report(
    result: Result,
    path: "str | PathLike[str]",
    names: object,
    *,
    W: object,
    test: object,
    intervals: object,
    curve: object,
    band: object,
    note: object,
) -> None:
    """Write the page on a result; see `Result.report`."""
    file = validate.as_file_to_write(path, "path", ".html")
    require_jinja()
    known = None if curve is None else validate.as_instance(curve, "curve", Path, "sot.srw_path(X, Y)")
    null = None if band is None else validate.as_instance(band, "band", NullBand, "sot.null_band(X, Y, k)")
    remarks = () if note is None else (validate.as_text(note, "note"),)
    comparison = comparison_of(result, names, W=W, test=test, intervals=intervals, advice=False)
    source = Source(call=_call(result), is_command=False, remarks=remarks)
    write_whole(file, comparison_page(comparison, source, Evidence(curve=known, band=null)))


def _call(result: Result) -> str:
    """Return the call behind a result, as far as it is known."""
    name = "prw" if isinstance(result, ProjectedResult) else "srw"
    k = str(result.k) if result.selection is None else '"auto"'
    reg = "" if result.reg is None else f", reg={result.reg!r}"
    p = f", p={result.p:g}" if isinstance(result, ProjectedResult) and result.p != 2.0 else ""
    return f"subspaceot.{name}(X, Y, k={k}{reg}{p})"
