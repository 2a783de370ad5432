"""One problem: make the call as a caller would, collect what it claims, and have it judged."""

import re
import signal
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from types import FrameType
from typing import Any

import numpy as np

import subspaceot as sot

from .draw import Draw
from .referee import Case, Evidence, Verdict, compare, distance_complaints, judge, truth

LIMIT = 30.0  # seconds of processor time that a call may take
_INTERRUPT = 2 * LIMIT  # after which it is ended, if Python is running
_REFUSALS = (ValueError, TypeError, MemoryError)
_ARGUMENT = re.compile(r"`[A-Za-z_]\w*")
_SHRUNK = 1 - 1e-9  # a factor read off Omega is made a little smaller, to be one for certain
_DEFAULT_TOL = 1e-3  # of `wasserstein`

Measure = tuple[Any, Any]  # points and weights
Claim = tuple[Measure, Measure, Evidence]


@dataclass
class Record:
    """What came of one problem."""

    index: int
    kind: str
    function: str
    refused: str | None = None  # the message of a clear error
    failures: list[str] = field(default_factory=list)
    details: str = ""  # a traceback
    statuses: list[str] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    factors_missing: int = 0
    seconds: float = 0.0


class Overtime(BaseException):
    """A call took too long. No `except Exception` of the library may catch it."""


def run_one(drawn: Draw) -> Record:
    """Return what came of one problem; nothing is raised."""
    record = Record(drawn.index, drawn.problem.kind, drawn.function)
    problem = drawn.problem
    given = [problem.X, problem.Y, problem.a, problem.b]
    before = [None if array is None else array.copy() for array in given]
    began = time.process_time()
    try:
        with _limited(), _guarded(drawn.strict):
            claims, other = _CALLS[drawn.function](drawn)
    except _REFUSALS as error:
        if _ARGUMENT.search(str(error)):
            record.refused = str(error)
        else:
            record.failures.append(f"{type(error).__name__} that names no argument: {error}")
            record.details = traceback.format_exc()
    except Overtime:
        record.failures.append(f"ended after {_INTERRUPT:.0f} s")
    except Exception as error:
        record.failures.append(f"{type(error).__name__}: {error}")
        record.details = traceback.format_exc()
    record.seconds = time.process_time() - began
    if record.seconds > LIMIT:
        record.failures.append(f"took {record.seconds:.0f} s")
    if not all(np.array_equal(old, new) for old, new in zip(before, given, strict=True) if old is not None):
        record.failures.append("an argument was modified")
    if record.failures or record.refused is not None:
        return record
    try:
        _judge(drawn, claims, other, record)
    except Exception as error:
        record.failures.append(f"the referee itself failed: {type(error).__name__}: {error}")
        record.details = traceback.format_exc()
    return record


@contextmanager
def _guarded(strict: bool) -> Iterator[None]:
    """Turn warnings into errors, and floating-point exceptions too if `strict`."""
    with warnings.catch_warnings(), np.errstate(**({"all": "raise"} if strict else {})):
        warnings.simplefilter("error")
        yield


@contextmanager
def _limited() -> Iterator[None]:
    """Raise Overtime after `_INTERRUPT` seconds of processor time, where the system has such a clock."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise Overtime

    before = signal.signal(signal.SIGVTALRM, interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, _INTERRUPT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)


# Calls, each returning claims with their measures and what else is to be judged ---------------------------------------


def _measures(drawn: Draw) -> tuple[Measure, Measure]:
    problem = drawn.problem
    return (problem.X, problem.a), (problem.Y, problem.b)


def _srw(mu: Measure, nu: Measure, options: dict[str, Any], ask_sparse: bool) -> tuple[Any, Claim]:
    result = sot.srw(mu[0], nu[0], a=mu[1], b=nu[1], **options)
    return result, (mu, nu, _evidence(result, None if "reg" in options else options["tol"], ask_sparse))


def _call_srw(drawn: Draw) -> tuple[list[Claim], Any]:
    mu, nu = _measures(drawn)
    return [_srw(mu, nu, drawn.options, drawn.ask_sparse)[1]], None


def _call_wasserstein(drawn: Draw) -> tuple[list[Claim], Any]:
    mu, nu = _measures(drawn)
    result = sot.wasserstein(mu[0], nu[0], mu[1], nu[1])
    return [(mu, nu, _evidence(result, _DEFAULT_TOL, drawn.ask_sparse))], None


def _call_path(drawn: Draw) -> tuple[list[Claim], Any]:
    mu, nu = _measures(drawn)
    path = sot.srw_path(mu[0], nu[0], a=mu[1], b=nu[1], **drawn.options)
    claims = [(mu, nu, _evidence(path.results[k], drawn.options["tol"], drawn.ask_sparse)) for k in path.ks]
    return claims, (path.lower, path.upper)


def _call_prw(drawn: Draw) -> tuple[list[Claim], Any]:
    mu, nu = _measures(drawn)
    result = sot.prw(mu[0], nu[0], a=mu[1], b=nu[1], **drawn.options)
    evidence = _evidence(result, drawn.options["tol"], drawn.ask_sparse, Fraction(drawn.options["p"]), projected=True)
    claims = [(mu, nu, evidence)]
    if drawn.index % 4 == 0 and drawn.options["p"] == 2:  # P_k <= S_k
        options = {"k": drawn.options["k"], "tol": max(drawn.options["tol"], 1e-4)}
        claims.append(_srw(mu, nu, options, ask_sparse=False)[1])
    return claims, None


def _call_init(drawn: Draw) -> tuple[list[Claim], Any]:
    mu, nu = _measures(drawn)
    first = dict(drawn.first)
    earlier, claim = _srw(mu, nu if first.pop("same") else mu, first, ask_sparse=False)
    return [claim, _srw(mu, nu, drawn.options | {"init": earlier}, drawn.ask_sparse)[1]], None


def _call_pairwise(drawn: Draw) -> tuple[list[Claim], Any]:
    assert drawn.third is not None
    measures = [*_measures(drawn), drawn.third]
    result = sot.pairwise(measures, **drawn.options)
    k = measures[0][0].shape[1] if drawn.options["metric"] == "wasserstein" else drawn.options["k"]
    claims = [_srw(mu, nu, {"k": k, "tol": 1e-4}, ask_sparse=False)[1] for mu, nu in combinations(measures, 2)]
    return claims, (k, result.lower, result.distance, result.upper)


_CALLS: dict[str, Callable[[Draw], tuple[list[Claim], Any]]] = {
    "srw": _call_srw,
    "wasserstein": _call_wasserstein,
    "srw_path": _call_path,
    "prw": _call_prw,
    "init": _call_init,
    "pairwise": _call_pairwise,
}


def _evidence(
    result: Any, tol: float | None, ask_sparse: bool, p: Fraction = Fraction(2), projected: bool = False
) -> Evidence:
    """Return what a result claims. Its properties are read here, under the caller's settings of NumPy."""
    factor = getattr(result, "factor", None)
    return Evidence(
        k=int(result.k),
        lower=float(result.lower),
        upper=float(result.upper),
        gap=float(result.gap),
        status=result.status.name,
        tol=tol,
        factor=None if factor is None else np.asarray(factor),
        potentials=tuple(map(np.asarray, result.potentials)),
        plan=np.asarray(result.plan),
        upper_plan=result.upper_plan.toarray() if projected else None,
        sparse_plan=result.sparse_plan.toarray() if ask_sparse else None,
        p=p,
        projected=projected,
        substitute=_substitute(result, projected) if factor is None else None,
    )


def _substitute(result: Any, projected: bool) -> Any:
    """Return a factor of about Omega, to test the upper bound where the result shows no factor."""
    if projected:
        return np.asarray(result.basis) * _SHRUNK
    with np.errstate(all="ignore"):
        values, vectors = np.linalg.eigh(result.omega)
        keep = values > 1e-12
        return vectors[:, keep] * np.sqrt(values[keep]) * _SHRUNK


# Judgement ------------------------------------------------------------------------------------------------------------


def _judge(drawn: Draw, claims: list[Claim], other: Any, record: Record) -> None:
    """Have each claim judged, and all claims about one pair of measures against each other."""
    cases: dict[tuple[int, int], Case] = {}
    judged: dict[tuple[int, int], list[tuple[Evidence, Verdict]]] = {}
    mu, nu = _measures(drawn)
    for first, second, claim in claims:
        key = id(first[0]), id(second[0])
        if key not in cases:
            cases[key] = Case(first[0], second[0], first[1], second[1])
        of_problem = first[0] is mu[0] and second[0] is nu[0]
        known = drawn.problem.known(claim.k, claim.p) if of_problem else []
        verdict = judge(cases[key], claim, known)
        judged.setdefault(key, []).append((claim, verdict))
        record.failures += verdict.complaints
        record.factors_missing += verdict.factor_missing
        record.statuses.append(claim.status)
        if of_problem and claim.tol is not None and drawn.options.get("max_iter") is None:
            record.gaps.append(claim.gap)
    for group in judged.values():
        record.failures += compare(group)
    if drawn.function == "pairwise":
        record.failures += _matrix_complaints(drawn, list(cases.values()), judged, other)
    elif drawn.function == "srw_path":
        arrays = [[claim.lower for *_, claim in claims], [claim.upper for *_, claim in claims]]
        if not np.array_equal(arrays, np.asarray(other)):
            record.failures.append("lower and upper of the path are not those of its results")


def _matrix_complaints(drawn: Draw, cases: list[Case], judged: Any, other: Any) -> list[str]:
    """Check the matrices of `pairwise` against known answers and the exact proofs of `srw` for the same pairs."""
    k, lower, distance, upper = other
    complaints = []
    for matrix in (lower, distance, upper):
        if not np.isfinite(matrix).all() or (matrix != matrix.T).any() or matrix.diagonal().any():
            return ["a matrix of distances is not finite and symmetric with a zero diagonal"]
    if not ((lower >= 0).all() and (lower <= distance).all() and (distance <= upper).all()):
        complaints.append("0 <= lower <= distance <= upper fails for a pair")
    two, projected = Fraction(2), drawn.options["metric"] == "prw"
    groups = list(judged.values())
    for position, (i, j) in enumerate(combinations(range(3), 2)):
        bounds = list(drawn.problem.known(k, two)) if (i, j) == (0, 1) else []
        exact = truth(cases[position], k, two)
        bounds += [exact] if exact else []
        for _, verdict in groups[position]:
            if verdict.proven_upper is not None:
                below = verdict.proven_lower if verdict.proven_lower is not None and not projected else Fraction(0)
                bounds.append((below, verdict.proven_upper))
        for pair in bounds:
            complaints += distance_complaints(float(lower[i, j]), float(upper[i, j]), pair)
    return complaints
