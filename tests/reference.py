"""Slow obvious twins of what the package computes, and referees that share no code with it."""

import warnings

import cvxpy as cp
import numpy as np
import ot
from scipy.optimize import linprog

# --- points and matrices ------------------------------------------------------------------------------------------


def cost_matrix(X, Y, omega=None):
    """Return (x_i - y_j)^T Omega (x_i - y_j), pair by pair."""
    omega = np.eye(X.shape[1]) if omega is None else omega
    C = np.empty((len(X), len(Y)))
    for i, x in enumerate(X):
        for j, y in enumerate(Y):
            C[i, j] = (x - y) @ omega @ (x - y)
    return C


def displacement(X, Y, plan):
    """Return sum_ij plan_ij (x_i - y_j)(x_i - y_j)^T, pair by pair."""
    V = np.zeros((X.shape[1], X.shape[1]))
    for i, x in enumerate(X):
        for j, y in enumerate(Y):
            V += plan[i, j] * np.outer(x - y, x - y)
    return V


def top_sum(V, k):
    """Return the sum of the k largest eigenvalues."""
    return float(np.sum(np.sort(np.linalg.eigvalsh(V))[::-1][:k]))


def weights(w, n):
    """Return weights of sum 1, uniform for None."""
    return np.full(n, 1 / n) if w is None else np.asarray(w, dtype=float) / np.sum(w)


def spread(X, Y, a=None, b=None):
    """Return the trace of the pooled second moment around the common centre: the scale of squared distances."""
    a, b = weights(a, len(X)), weights(b, len(Y))
    centre = 0.5 * (a @ X + b @ Y)
    return 0.5 * float(a @ np.sum((X - centre) ** 2, axis=1) + b @ np.sum((Y - centre) ** 2, axis=1))


# --- the whole problem --------------------------------------------------------------------------------------------

# As tight as Clarabel gets on these problems; what misses the first meets the second, or is an error.
_TOLERANCES = ("tol_gap_abs", "tol_gap_rel", "tol_feas")
_CLARABEL = dict.fromkeys(_TOLERANCES, 1e-10) | {f"reduced_{name}": 1e-7 for name in _TOLERANCES}


def srw_sdp(X, Y, k, a=None, b=None):
    """Return S_k^2 by the semidefinite program min tr Z + k s, Z + s I >= V(plan), Z >= 0, plan in Pi(a, b)."""
    a, b = weights(a, len(X)), weights(b, len(Y))
    X, Y, a, b = X[a > 0], Y[b > 0], a[a > 0], b[b > 0]
    (n, d), m = X.shape, len(Y)
    D = (X[:, None, :] - Y[None, :, :]).reshape(n * m, d)
    plan, Z, s = cp.Variable(n * m, nonneg=True), cp.Variable((d, d), PSD=True), cp.Variable()
    V = cp.reshape((D[:, :, None] * D[:, None, :]).reshape(n * m, d * d).T @ plan, (d, d), order="C")
    matrix = cp.reshape(plan, (n, m), order="C")
    constraints = [cp.sum(matrix, axis=1) == a, cp.sum(matrix, axis=0) == b, Z + s * np.eye(d) - V >> 0]
    program = cp.Problem(cp.Minimize(cp.trace(Z) + k * s), constraints)
    with warnings.catch_warnings():
        # CVXPY calls a solution inaccurate that misses the full tolerances; it still meets the reduced ones.
        warnings.filterwarnings("ignore", message="Solution may be inaccurate", category=UserWarning)
        program.solve(solver=cp.CLARABEL, **_CLARABEL)
    assert program.status in ("optimal", "optimal_inaccurate"), program.status
    return float(program.value)


# --- the set of soft projectors -----------------------------------------------------------------------------------


def fantope_projection(A, k):
    """Return the projection onto F_k: eigenvalues clip(lambda - t, 0, 1), with t found by bisection."""
    eigenvalues, vectors = np.linalg.eigh(A)
    low, high = eigenvalues.min() - 2.0, eigenvalues.max() + 1.0
    for _ in range(200):
        t = 0.5 * (low + high)
        low, high = (t, high) if np.clip(eigenvalues - t, 0, 1).sum() > k else (low, t)
    return (vectors * np.clip(eigenvalues - t, 0, 1)) @ vectors.T


def top_projector(V, k):
    """Return the projector onto the k leading eigenvectors."""
    U = np.linalg.eigh(V)[1][:, ::-1][:, :k]
    return U @ U.T


# --- transport for a fixed cost -----------------------------------------------------------------------------------


def transport_cost(C, a, b):
    """Return the exact transport cost, by POT."""
    return float(ot.emd2(a, b, C, numItermax=10_000_000))


def transport_linprog(C, a, b):
    """Return the exact transport cost, by SciPy's linear programming."""
    n, m = C.shape
    rows = np.kron(np.eye(n), np.ones(m))
    columns = np.kron(np.ones(n), np.eye(m))
    answer = linprog(C.ravel(), A_eq=np.vstack([rows, columns]), b_eq=np.concatenate([a, b]), method="highs")
    assert answer.success, answer.message
    return float(answer.fun)


def sinkhorn_log(C, a, b, reg, sweeps=100_000, tol=1e-13):
    """Return the entropic plan exp((f + g - C) / reg), by updates of f and g in the log domain."""
    f, g = np.zeros(len(a)), np.zeros(len(b))
    for _ in range(sweeps):
        f = reg * (np.log(a) - _log_sum_exp((g - C) / reg, axis=1))
        g = reg * (np.log(b) - _log_sum_exp((f[:, None] - C) / reg, axis=0))
        plan = np.exp((f[:, None] + g - C) / reg)
        if np.abs(plan.sum(axis=1) - a).sum() <= tol:
            break
    return plan


def _log_sum_exp(A, axis):
    peak = A.max(axis=axis, keepdims=True)
    return np.squeeze(peak, axis=axis) + np.log(np.exp(A - peak).sum(axis=axis))


# --- the paper's algorithms, line by line ----------------------------------------------------------------------------


def algorithm_1(X, Y, k, a, b, tau_0, iterations):
    """Yield Omega before each iteration of the paper's Algorithm 1, projected supergradient, with exact transport."""
    pi = ot.emd(a, b, cost_matrix(X, Y))
    omega = top_projector(displacement(X, Y, pi), k)
    for t in range(iterations):
        yield omega
        pi = ot.emd(a, b, cost_matrix(X, Y, omega))
        tau = tau_0 / (t + 1)
        omega = fantope_projection(omega + tau * displacement(X, Y, pi), k)


def algorithm_2(X, Y, k, a, b, gamma, epsilon, max_iter=1000):
    """Return the history [(Omega, pi, <Omega|V>)] of the paper's Algorithm 2, Frank-Wolfe."""
    history = []
    pi = sinkhorn_log(cost_matrix(X, Y), a, b, gamma)
    omega = top_projector(displacement(X, Y, pi), k)
    for t in range(max_iter):
        pi = sinkhorn_log(cost_matrix(X, Y, omega), a, b, gamma)
        V = displacement(X, Y, pi)
        history.append((omega, pi, float(np.sum(omega * V))))
        if top_sum(V, k) - np.sum(omega * V) <= epsilon * np.sum(omega * V):
            break
        tau = 2 / (2 + t)
        omega = (1 - tau) * omega + tau * top_projector(V, k)
    return history
