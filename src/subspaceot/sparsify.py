"""A plan with few atoms that proves almost as much as a dense one."""

from functools import partial

import numpy as np
import scipy.sparse

from .core import fantope
from .core.certificate import Certificate
from .core.coupling import Coupling, Sparse, mixed
from .core.marginals import met
from .core.moments import cost_matrix, displacement
from .core.potentials import is_large
from .core.problem import Problem
from .runtime.types import Array, Indices
from .solvers import Auto, Start, run
from .solvers.large.method import plan_on_few_pairs
from .transport import exact_transport

_TIGHTER = 0.3  # of the gap, each time a certificate is too loose to have a sparse proof
_CLOSE = 5e-4  # of the upper bound: a plan whose own top-k sum exceeds it by no more is good enough
_LP_SIZE = 4_000_000  # entries of the linear program of the last resort,
_SECONDS = 10.0  # and its time


def sparsified(problem: Problem, certificate: Certificate) -> Sparse:
    """Return a coupling with at most 5 (n + m) atoms whose top-k sum is near the upper bound.

    The plan of a wide interval may be blurred beyond what few atoms can tell: then the interval is narrowed first. The
    last resort is a vertex of all couplings on the plan's support that have the same displacement matrix. Of
    many points and an Omega with many directions it is exact transport among candidate pairs.
    """
    plan = certificate.upper.plan
    if is_large(*plan.shape) and not isinstance(plan, Sparse):  # whose atoms are all pairs
        few = plan_on_few_pairs(problem, certificate.lower.soft, certificate.lower.g)
        return Sparse(met(few, problem.masses).plan.sparse())
    goal, measure = (1.0 + _CLOSE) * certificate.upper.value, partial(_top_sum, problem)
    best = _sparsified(problem, certificate, goal)
    for _ in range(4):
        if measure(best) <= goal:
            break
        if certificate.gap <= _CLOSE:
            exact = _same_displacement(problem, certificate)
            best = best if exact is None else min(best, exact, key=measure)
            break
        start = Start.of(certificate.lower.omega, certificate.upper.V, problem.k)
        certificate = run(problem, Auto(), tol=_TIGHTER * certificate.gap, start=start).certificate
        best = min(best, _sparsified(problem, certificate, goal), key=measure)
    return _met(problem, certificate, best)


def _met(problem: Problem, certificate: Certificate, plan: Sparse) -> Sparse:
    """Return the plan with masses that meet the weights; where that takes too many pairs, fewer are kept before."""
    atoms = len(problem.a) + len(problem.b)
    coupling = Sparse(met(plan, problem.masses).plan.sparse())
    if coupling.count <= 5 * atoms:
        return coupling
    fewer = _largest(plan, 3 * atoms), _vertex(problem, certificate.lower.omega)
    couplings = (Sparse(met(few, problem.masses).plan.sparse()) for few in fewer)
    return min(couplings, key=partial(_top_sum, problem))


def _sparsified(problem: Problem, certificate: Certificate, goal: float) -> Sparse:
    """Return a coupling with few atoms whose top-k sum meets the goal, or comes as close as it can.

    The largest atoms stay, and the mass of the rest is moved by an exact transport of its own. Where the plan is too
    even for that, it is mixed with the exact plan of Omega, then replaced by a mixture of five exact plans.
    """
    plan, atoms = certificate.upper.plan, len(problem.a) + len(problem.b)
    if plan.count <= 5 * atoms:
        return Sparse(plan.sparse())
    # Mostly the rest is dust, left over from rounding onto the marginals.
    best = Sparse(met(_largest(plan, 5 * atoms), problem.masses).plan.sparse())
    if best.count <= 5 * atoms and _top_sum(problem, best) <= goal:
        return best
    best = _completed(problem, certificate, _largest(plan, 4 * atoms))
    if _top_sum(problem, best) > goal:
        vertex = _vertex(problem, certificate.lower.omega)
        fewer = _completed(problem, certificate, _largest(plan, 3 * atoms))
        best = min(best, _best_mixture(problem, fewer, vertex), key=partial(_top_sum, problem))
    if _top_sum(problem, best) > goal:
        best = min(best, _of_vertices(problem, vertex), key=partial(_top_sum, problem))
    return best


def _largest(plan: Coupling, count: int) -> Sparse:
    """Return the plan with its `count` largest atoms only."""
    rows, columns, mass = plan.atoms()
    kept = np.argpartition(mass, max(0, len(mass) - count))[max(0, len(mass) - count) :]
    return Sparse.of(rows[kept], columns[kept], mass[kept], plan.shape)


def _top_sum(problem: Problem, plan: Coupling) -> float:
    return fantope.top_sum(displacement(problem.X, problem.Y, plan), problem.k)


def _completed(problem: Problem, certificate: Certificate, kept: Sparse) -> Sparse:
    """Return `kept` plus an exact transport of the mass that its rows and columns lack: n + m - 1 atoms at most."""
    left_a, left_b = problem.a - kept.row_sums(), problem.b - kept.column_sums()
    rows, columns = np.flatnonzero(left_a > 0.0), np.flatnonzero(left_b > 0.0)
    mass = left_a[rows].sum()
    if not (len(rows) and len(columns) and mass > 1e-15):
        return kept
    C = cost_matrix(problem.X[rows], problem.Y[columns], fantope.factor(certificate.lower.omega))
    i, j, moved = exact_transport(C, left_a[rows] / mass, left_b[columns] / left_b[columns].sum()).plan.atoms()
    added = Sparse.of(rows[i], columns[j], mass * moved, kept.shape)
    return Sparse(scipy.sparse.csr_array(kept.masses + added.masses))


def _vertex(problem: Problem, omega: Array) -> Sparse:
    """Return the exact plan of one Omega, at most n + m - 1 atoms."""
    C = cost_matrix(problem.X, problem.Y, fantope.factor(omega))
    return Sparse(exact_transport(C, problem.a, problem.b).plan.sparse())


def _of_vertices(problem: Problem, plan: Sparse) -> Sparse:
    """Return a mixture of five exact plans, each taken where the mixture so far is worst."""
    for _ in range(4):
        _, worst = fantope.maximise(displacement(problem.X, problem.Y, plan), problem.k)
        plan = _best_mixture(problem, plan, _vertex(problem, worst))
    return plan


def _best_mixture(problem: Problem, plan: Sparse, vertex: Sparse) -> Sparse:
    """Return the convex combination of two couplings with the smallest top-k sum."""
    V, W = displacement(problem.X, problem.Y, plan), displacement(problem.X, problem.Y, vertex)
    return Sparse(mixed(fantope.best_share(V, W, problem.k), vertex, plan).sparse())


def _same_displacement(problem: Problem, certificate: Certificate) -> Sparse | None:
    """Return a vertex of the couplings on the plan's support with its displacement matrix; None if that is too large.

    A vertex has at most as many atoms as there are equations: n + m - 1 + p (p + 1) / 2, where p leading directions of
    the displacement matrix are kept as they are, and what happens in the others is made as small as possible.
    """
    from scipy.optimize import linprog  # slow to import, seldom needed

    rows, columns, mass = certificate.upper.plan.atoms()
    p = min(problem.r, int(np.sqrt(6 * (len(problem.a) + len(problem.b)))) - 1)  # p (p + 1) / 2 <= 3 (n + m)
    if len(rows) * p * (p + 1) // 2 > _LP_SIZE:
        return None
    D = problem.X[rows] - problem.Y[columns]
    P = D @ fantope.leading_vectors(certificate.upper.V, p)
    equations, rhs = _same_moments(problem, rows, columns, mass, P)
    elsewhere = np.einsum("ei,ei->e", D, D) - np.einsum("ei,ei->e", P, P)
    blur = np.random.default_rng(0).random(len(rows))  # so that the minimum is a vertex
    cost = elsewhere + 1e-6 * problem.spread * blur
    answer = linprog(cost, A_eq=equations, b_eq=rhs, method="highs-ds", options={"time_limit": _SECONDS})
    if not answer.success:
        return None
    kept = Sparse.of(rows, columns, np.maximum(answer.x, 0.0), certificate.upper.plan.shape)
    # The solver meets its equations to 1e-7 only: scale down what is too much, then complete what is missing.
    u = np.minimum(1.0, problem.a / np.maximum(kept.row_sums(), 1e-300))
    kept = Sparse(scipy.sparse.csr_array(kept.masses.multiply(u[:, None])))
    v = np.minimum(1.0, problem.b / np.maximum(kept.column_sums(), 1e-300))
    return _completed(problem, certificate, Sparse(scipy.sparse.csr_array(kept.masses.multiply(v))))


def _same_moments(
    problem: Problem, rows: Indices, columns: Indices, mass: Array, P: Array
) -> tuple[scipy.sparse.csr_array, Array]:
    """Return the equations of all masses on these pairs with the weights as sums and the second moments of P (e, p)."""
    n, m, e = len(problem.a), len(problem.b), len(rows)
    order, (i, j) = np.arange(e), np.triu_indices(P.shape[1])
    squares = (P[:, i] * P[:, j]).T
    equations = scipy.sparse.vstack(
        [
            scipy.sparse.csr_array((np.ones(e), (rows, order)), shape=(n, e)),
            scipy.sparse.csr_array((np.ones(e), (columns, order)), shape=(m, e)),
            scipy.sparse.csr_array(squares),
        ],
        format="csr",
    )
    return equations, np.concatenate([problem.a, problem.b, squares @ mass])
