"""Where a run starts: a soft projector, or an earlier result on the same, similar or other data, for any k."""

import numpy as np
import problems
import pytest
import tolerances

import subspaceot as sot

X, Y, _, A, B = problems.plain()
D = X.shape[1]
PLANE = np.diag([1.0, 1.0, 0.0, 0.0])  # a projector of trace 2

METHODS = ["auto", "quasi-newton", "interior-point", "supergradient", "frank-wolfe"]


def solve(method="auto", data=(X, Y), k=2, weights=(A, B), **keywords):
    if method == "frank-wolfe":
        keywords["reg"] = 0.3
    if method == "supergradient":  # slow, but its interval is as valid
        keywords.setdefault("max_iter", 20)
    return sot.srw(*data, k, *weights, method=method, **keywords)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "source", ["projector", "flat", "result", "smaller k", "larger k", "other data", "other sizes"]
)
def test_any_init_leads_to_the_same_value(source, method):
    inits = {
        "projector": lambda: PLANE,
        "flat": lambda: np.eye(D) * 2 / D,
        "result": solve,
        "smaller k": lambda: solve(k=1),
        "larger k": lambda: solve(k=D),
        "other data": lambda: solve(data=(X + 0.1, 3 * Y)),
        "other sizes": lambda: solve(data=(X[:5], Y[:6]), weights=(None, None)),
    }
    plain = solve(method)
    result = solve(method, init=inits[source]())
    assert result.converged or method == "supergradient"
    assert result.lower <= plain.upper
    assert plain.lower <= result.upper


def test_an_earlier_result_saves_iterations():
    data = sot.instances.fragmented_hypercube(80, 10, 2, 0, rotate=True)
    cold = sot.srw(data.X, data.Y, 2)
    warm = sot.srw(data.X, data.Y, 2, init=cold)
    assert warm.converged
    assert warm.n_iter < cold.n_iter


@pytest.mark.parametrize("method", ["supergradient", "frank-wolfe"])
def test_the_first_iterate_is_the_init(method):
    result = solve(method, init=PLANE, max_iter=1)
    np.testing.assert_allclose(result.omega, PLANE, atol=tolerances.ROUNDING)


@pytest.mark.parametrize("name", ["many_dimensions", "k_above_the_rank", "zero_weights_in_many_dimensions", "flat"])
def test_init_of_data_that_span_less_than_the_space(name):
    X, Y, k, a, b = problems.NAMED[name]()
    d = X.shape[1]
    first = sot.srw(X, Y, k, a, b)
    for init in (first, first.omega, np.eye(d) * k / d):
        again = sot.srw(X, Y, k, a, b, init=init)
        assert again.converged
        assert again.lower <= first.upper * (1 + tolerances.ROUNDING)
        assert first.lower <= again.upper * (1 + tolerances.ROUNDING)
