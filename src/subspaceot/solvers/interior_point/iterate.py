"""Points near the central path of `central_path`, and where steps along it start."""

from dataclasses import dataclass, replace

import numpy as np

from ...core import fantope
from ...core.problem import Problem
from ...runtime.types import Array
from ..start import Interior
from ..step import NEGLIGIBLE
from .system import Graph

INSIDE = 0.01  # relative distance of a start from the border of each cone; shorter steps are no progress


@dataclass(frozen=True, eq=False, slots=True)
class PathPoint:
    """A strictly feasible dual point with a primal point whose marginals may still be a little off."""

    omega: Array  # (r, r)
    f: Array  # (n,)
    g: Array  # (m,)
    slack: Array  # (e,)
    pi: Array  # (e,)
    T: Array  # (r, r)
    Z: Array  # (r, r)
    s: float
    cost: float = np.nan  # trace Z + k s
    gap: float = np.inf  # relative, or the error of the marginals if that is larger

    def moved(self, move: "PathPoint", primal: float, dual: float) -> "PathPoint":
        """Return the point after a step of these lengths."""
        return PathPoint(
            omega=self.omega + dual * move.omega,
            f=self.f + dual * move.f,
            g=self.g + dual * move.g,
            slack=self.slack + dual * move.slack,
            pi=self.pi + primal * move.pi,
            T=self.T + primal * move.T,
            Z=self.Z + primal * move.Z,
            s=self.s + primal * move.s,
        )

    def detach(self, graph: Graph) -> Interior:
        """Return the point without its graph.

        Its plan is an array (n, m), so that points of different graphs can be mixed: the method is dense by nature, its
        systems are, and it is meant for few points.
        """
        return Interior(graph.dense(self.pi), self.omega, self.f, self.g, self.T, self.Z, self.s, self.gap)

    def primal(self, k: int) -> float:
        """Return trace Z + k s."""
        return float(np.trace(self.Z) + k * self.s)

    def complementarity(self) -> float:
        """Return pi.slack + <T | Omega> + <Z | I - Omega>, the gap of a feasible pair."""
        rest = np.eye(len(self.omega)) - self.omega
        return float(self.pi @ self.slack + np.sum(self.T * self.omega) + np.sum(self.Z * rest))


def cold_start(problem: Problem, graph: Graph, omega: Array, f: Array, g: Array) -> PathPoint:
    """Return a well centred point near `omega` in F_k and potentials that are feasible for it."""
    r, k = problem.r, problem.k
    size = max(float(problem.a @ f + problem.b @ g), NEGLIGIBLE * problem.spread)
    omega = (1.0 - INSIDE) * omega + INSIDE * (k / r) * np.eye(r)
    D = problem.X[graph.rows] - problem.Y[graph.columns]
    slack = np.einsum("ei,ei->e", D @ omega, D) - f[graph.rows] - g[graph.columns]
    down = INSIDE * size - min(0.0, float(slack.min()))
    f, slack = f - down, np.maximum(slack + down, INSIDE * size)  # the maximum only mends rounding of huge costs
    pi = _scaled(problem, graph, 1.0 / slack)  # proportional to 1 / slack, as the central path has it
    return PathPoint(omega, f, g, slack, pi, *_split((D.T * pi) @ D, k))


def _split(V: Array, k: int) -> tuple[Array, Array, float]:
    """Return positive definite T and Z and a number s with T - Z = s I - V, s between V's eigenvalues k and k + 1."""
    eigenvalues, U = np.linalg.eigh(V)
    s = 0.5 * float(eigenvalues[-k] + eigenvalues[-k - 1])
    below = np.maximum(s - eigenvalues, 0.0) + INSIDE * s
    above = below - (s - eigenvalues)
    return (U * below) @ U.T, (U * above) @ U.T, s


def _scaled(problem: Problem, graph: Graph, pi: Array) -> Array:
    """Return pi (e,) with columns, then rows, scaled to their weights."""
    pi = pi * (problem.b / graph.column_sums(pi))[graph.columns]
    pi = pi * (problem.a / graph.row_sums(pi))[graph.rows]
    return pi


def warm_start(problem: Problem, graph: Graph, at: Interior) -> PathPoint | None:
    """Return the point `at` on this graph; pairs that are new to it get what they have on the central path, mu / slack.

    Where that is most of what their row has, they get no more than the root of the gap as a share of it: between being
    as far along the path as the others, and leaving the marginals as they are.

    None where no pair of the graph carries mass at a positive slack: nothing says how far along the path the point is.
    """
    D = problem.X[graph.rows] - problem.Y[graph.columns]
    pi = at.pi[graph.rows, graph.columns]
    slack = np.einsum("ei,ei->e", D @ at.omega, D) - at.f[graph.rows] - at.g[graph.columns]
    known = (pi > 0.0) & (slack > 0.0)
    mu = float(pi[known] @ slack[known]) / max(int(np.count_nonzero(known)), 1)
    if not mu > 0.0:
        return None
    least = mu / np.maximum(problem.a, problem.b.min())  # a pair of less slack would carry more than there is
    down = np.zeros(graph.n)
    np.maximum.at(down, graph.rows, least[graph.rows] - slack)
    down = np.where(down > least, down, 0.0)  # only rows in which a pair has no slack at all
    slack = np.maximum(slack + down[graph.rows], INSIDE * least[graph.rows])
    enough = least[graph.rows] / np.sqrt(min(1.0, at.gap))
    pi = _scaled(problem, graph, np.where(pi > 0.0, pi, mu / np.maximum(slack, enough)))
    return PathPoint(at.omega, at.f - down, at.g, slack, pi, at.T, at.Z, at.s)


def embed(problem: Problem, at: Interior, R: Array) -> Interior:
    """Return `at` in the directions of `problem`, which hold its own as R (r, q); the new ones are near the path.

    There T Omega = mu I: directions in which V is well below s hold next to nothing of Omega. Where V couples old and
    new ones, s is raised until T is positive again. Half the steps of a cold start, or fewer.
    """
    r, q = R.shape
    if q == r:
        return at
    V, mu, eye = *_displacement_and_mu(problem, at, R), np.eye(r)
    outside = np.linalg.svd(R)[0][:, q:]
    eigenvalues, vectors = np.linalg.eigh(outside.T @ V @ outside)
    new, share = outside @ vectors, mu / np.maximum(at.s - eigenvalues, INSIDE * at.s)
    omega = (1.0 - share.sum() / problem.k) * R @ at.omega @ R.T + (new * share) @ new.T
    Z = fantope.symmetric(R @ at.Z @ R.T + mu * new @ new.T)
    T = Z + at.s * eye - V
    lift = max(0.0, mu - float(np.linalg.eigvalsh(T)[0]))
    return replace(at, omega=fantope.symmetric(omega), T=T + lift * eye, Z=Z, s=at.s + lift)


def _displacement_and_mu(problem: Problem, at: Interior, R: Array) -> tuple[Array, float]:
    """Return V (r, r) of the plan of `at`, and the mean of its products pi * slack in its directions `R` (r, q)."""
    rows, columns = np.nonzero(at.pi)
    D, pi = problem.X[rows] - problem.Y[columns], at.pi[rows, columns]
    inside = D @ R
    slack = np.einsum("ei,ei->e", inside @ at.omega, inside) - at.f[rows] - at.g[columns]
    return (D.T * pi) @ D, float(pi @ slack) / max(len(pi), 1)
