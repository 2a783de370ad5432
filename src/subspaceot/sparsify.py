"""A plan with few atoms that proves almost as much as a dense one."""

import numpy as np
import scipy.sparse

from .core import fantope
from .core.certificate import Certificate
from .core.marginals import settled
from .core.moments import cost_matrix, displacement
from .core.problem import Problem
from .runtime.types import Array
from .solvers import Auto, Start, run
from .transport import exact_transport

_TIGHTER = 0.3  # of the gap, each time a certificate is too loose to have a sparse proof
_CLOSE = 5e-4  # of the upper bound: a plan whose own top-k sum exceeds it by no more is good enough
_LP_SIZE = 4_000_000  # entries of the linear program of the last resort,
_SECONDS = 10.0  # and its time


def sparsified(problem: Problem, certificate: Certificate) -> scipy.sparse.csr_array:
    """Return a coupling with at most 5 (n + m) atoms whose top-k sum is near the upper bound.

    The plan of a wide interval may be blurred beyond what few atoms can tell: then the interval is narrowed first. The
    last resort is a vertex of all couplings on the plan's support that have the same displacement matrix.
    """
    goal = (1.0 + _CLOSE) * certificate.upper.value
    best = _sparsified(problem, certificate, goal)
    for _ in range(4):
        if _top_sum(problem, best) <= goal:
            break
        if certificate.gap <= _CLOSE:
            exact = _same_displacement(problem, certificate)
            best = best if exact is None else min(best, exact, key=_measure(problem))
            break
        start = Start.of(certificate.lower.omega, certificate.upper.V, problem.k)
        certificate = run(problem, Auto(), tol=_TIGHTER * certificate.gap, start=start).certificate
        best = min(best, _sparsified(problem, certificate, goal), key=_measure(problem))
    return _met(problem, certificate, best)


def _met(problem: Problem, certificate: Certificate, plan: Array) -> scipy.sparse.csr_array:
    """Return the plan with masses that meet the weights; where that takes too many pairs, fewer are kept before."""
    atoms = len(problem.a) + len(problem.b)
    coupling = scipy.sparse.csr_array(settled(scipy.sparse.csr_array(plan), problem.masses).plan)
    if coupling.nnz <= 5 * atoms:
        return coupling
    fewer = _largest(plan, min(3 * atoms, plan.size)), _vertex(problem, certificate.lower.omega)
    couplings = (settled(scipy.sparse.csr_array(few), problem.masses).plan for few in fewer)
    best = min(couplings, key=lambda coupling: _top_sum(problem, coupling.toarray()))
    return scipy.sparse.csr_array(best)


def _sparsified(problem: Problem, certificate: Certificate, goal: float) -> Array:
    """Return a coupling with few atoms whose top-k sum meets the goal, or comes as close as it can.

    The largest atoms stay, and the mass of the rest is moved by an exact transport of its own. Where the plan is too
    even for that, it is mixed with the exact plan of Omega, then replaced by a mixture of five exact plans.
    """
    plan: Array = certificate.upper.plan
    atoms = len(problem.a) + len(problem.b)
    if np.count_nonzero(plan) <= 5 * atoms:
        return plan
    mended = _mended(problem, plan, 5 * atoms)
    if np.count_nonzero(mended) <= 5 * atoms and _top_sum(problem, mended) <= goal:
        return mended
    best = _repaired(problem, certificate, 4 * atoms)
    if _top_sum(problem, best) > goal:
        vertex = _vertex(problem, certificate.lower.omega)
        best = min(best, _mixed(problem, _repaired(problem, certificate, 3 * atoms), vertex), key=_measure(problem))
    if _top_sum(problem, best) > goal:
        best = min(best, _of_vertices(problem, vertex), key=_measure(problem))
    return best


def _mended(problem: Problem, plan: Array, count: int) -> Array:
    """Return the `count` largest atoms of the plan with masses that meet the weights, without others if they can.

    Mostly the rest is dust, left over from rounding onto the marginals.
    """
    mended: Array = settled(scipy.sparse.csr_array(_largest(plan, count)), problem.masses).plan.toarray()
    return mended


def _largest(plan: Array, count: int) -> Array:
    """Return the plan with all but its `count` largest atoms set to 0."""
    largest = np.argpartition(plan, plan.size - count, axis=None)[plan.size - count :]
    kept = np.zeros_like(plan)
    kept.flat[largest] = plan.flat[largest]
    return kept


def _measure(problem: Problem):  # type: ignore[no-untyped-def]
    return lambda plan: _top_sum(problem, plan)


def _top_sum(problem: Problem, plan: Array) -> float:
    return fantope.top_sum(displacement(problem.X, problem.Y, plan), problem.k)


def _repaired(problem: Problem, certificate: Certificate, count: int) -> Array:
    """Return the `count` largest atoms of the plan, completed to a coupling by at most n + m - 1 more."""
    return _completed(problem, certificate, _largest(certificate.upper.plan, count))


def _completed(problem: Problem, certificate: Certificate, kept: Array) -> Array:
    """Return `kept` plus an exact transport of the mass that its rows and columns lack."""
    left_a, left_b = problem.a - kept.sum(axis=1), problem.b - kept.sum(axis=0)
    rows, columns = left_a > 0.0, left_b > 0.0
    mass = left_a[rows].sum()
    if rows.any() and columns.any() and mass > 1e-15:
        C = cost_matrix(problem.X[rows], problem.Y[columns], fantope.factor(certificate.lower.omega))
        moved = exact_transport(C, left_a[rows] / mass, left_b[columns] / left_b[columns].sum())
        kept[np.ix_(rows, columns)] += mass * moved.plan
    return kept


def _vertex(problem: Problem, omega: Array) -> Array:
    """Return the exact plan of one Omega, at most n + m - 1 atoms."""
    C = cost_matrix(problem.X, problem.Y, fantope.factor(omega))
    return exact_transport(C, problem.a, problem.b).plan


def _of_vertices(problem: Problem, plan: Array) -> Array:
    """Return a mixture of five exact plans, each taken where the mixture so far is worst."""
    for _ in range(4):
        _, worst = fantope.maximise(displacement(problem.X, problem.Y, plan), problem.k)
        plan = _mixed(problem, plan, _vertex(problem, worst))
    return plan


def _mixed(problem: Problem, plan: Array, vertex: Array) -> Array:
    """Return the convex combination of two couplings with the smallest top-k sum, by golden section."""
    V, W = displacement(problem.X, problem.Y, plan), displacement(problem.X, problem.Y, vertex)
    left, right, ratio = 0.0, 1.0, 0.5 * (np.sqrt(5.0) - 1.0)
    for _ in range(25):
        p, q = right - ratio * (right - left), left + ratio * (right - left)
        if fantope.top_sum((1.0 - p) * V + p * W, problem.k) < fantope.top_sum((1.0 - q) * V + q * W, problem.k):
            right = q
        else:
            left = p
    share = 0.5 * (left + right)
    return (1.0 - share) * plan + share * vertex


def _same_displacement(problem: Problem, certificate: Certificate) -> Array | None:
    """Return a vertex of the couplings on the plan's support with its displacement matrix; None if that is too large.

    A vertex has at most as many atoms as there are equations: n + m - 1 + p (p + 1) / 2, where p leading directions of
    the displacement matrix are kept as they are, and what happens in the others is made as small as possible.
    """
    from scipy.optimize import linprog  # slow to import, seldom needed

    plan = certificate.upper.plan
    rows, columns = np.nonzero(plan)
    n, m, e = len(problem.a), len(problem.b), len(rows)
    p = min(problem.r, int(np.sqrt(6 * (n + m))) - 1)  # p (p + 1) / 2 <= 3 (n + m)
    if e * p * (p + 1) // 2 > _LP_SIZE:
        return None
    order, i, j = np.arange(e), *np.triu_indices(p)
    D = problem.X[rows] - problem.Y[columns]
    P = D @ fantope.leading_vectors(certificate.upper.V, p)
    squares = (P[:, i] * P[:, j]).T
    equations = scipy.sparse.vstack(
        [
            scipy.sparse.csr_array((np.ones(e), (rows, order)), shape=(n, e)),
            scipy.sparse.csr_array((np.ones(e), (columns, order)), shape=(m, e)),
            scipy.sparse.csr_array(squares),
        ]
    )
    rhs = np.concatenate([problem.a, problem.b, squares @ plan[rows, columns]])
    elsewhere = np.einsum("ei,ei->e", D, D) - np.einsum("ei,ei->e", P, P)
    cost = elsewhere + 1e-6 * problem.spread * np.random.default_rng(0).random(e)  # so that the minimum is a vertex
    answer = linprog(cost, A_eq=equations, b_eq=rhs, method="highs-ds", options={"time_limit": _SECONDS})
    if not answer.success:
        return None
    kept = np.zeros_like(plan)
    kept[rows, columns] = np.maximum(answer.x, 0.0)
    # The solver meets its equations to 1e-7 only: scale down what is too much, then complete what is missing.
    kept *= np.minimum(1.0, problem.a / np.maximum(kept.sum(axis=1), 1e-300))[:, None]
    kept *= np.minimum(1.0, problem.b / np.maximum(kept.sum(axis=0), 1e-300))
    return _completed(problem, certificate, kept)
