"""The distance for JAX: under jit, grad and vmap, in single and double precision, the same as for PyTorch."""

import re

import numpy as np
import pytest

pytest.importorskip("jax")

import jax
import jax.numpy as jnp

import subspaceot as sot
from subspaceot.jax import srw

# A cost in float32 is the cost in float64 rounded once, and so are its derivatives.
SINGLE = 2.0**-23


@pytest.fixture
def x64():
    with jax.enable_x64(True):
        yield


def problem(seed=0, n=7, m=6, d=4, shift=3.0):
    """Return points and weights as arrays of NumPy."""
    rng = np.random.default_rng(seed)
    X, Y = rng.standard_normal((n, d)), rng.standard_normal((m, d)) + shift * np.eye(d)[0]
    return X, Y, rng.uniform(0.5, 1.5, n), rng.uniform(0.5, 1.5, m)


def single(seed=0, **sizes):
    return tuple(jnp.asarray(array, jnp.float32) for array in problem(seed, **sizes))


def all_gradients(function, arrays):
    return jax.grad(lambda *given: function(given[0], given[1], k=2, a=given[2], b=given[3]), argnums=(0, 1, 2, 3))(
        *arrays
    )


# Values and gradients ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("x64")
def test_cost_and_gradients_are_those_of_srw():
    X, Y, a, b = problem()
    value, found = jax.value_and_grad(lambda X, Y: srw(X, Y, 2, a, b), argnums=(0, 1))(X, Y)
    result = sot.srw(X, Y, 2, a, b)
    assert value == result.cost
    np.testing.assert_array_equal(found[0], result.grad_X)
    np.testing.assert_array_equal(found[1], result.grad_Y)


@pytest.mark.usefixtures("x64")
@pytest.mark.parametrize("seed", range(5))
def test_jit_of_grad_is_the_gradient_of_torch(seed):
    torch = pytest.importorskip("torch")
    from subspaceot.torch import SRWLoss

    arrays = problem(seed)
    tensors = [torch.tensor(array, requires_grad=True) for array in arrays]
    cost = SRWLoss(k=2)(*tensors)
    expected = torch.autograd.grad(cost, tensors)
    value = jax.jit(lambda X, Y, a, b: srw(X, Y, 2, a, b))(*arrays)
    assert float(value) == pytest.approx(cost.item(), rel=1e-6)
    found = jax.jit(lambda *arrays: all_gradients(srw, arrays))(*arrays)
    for gradient, of_torch in zip(found, expected, strict=True):
        np.testing.assert_allclose(gradient, of_torch.numpy(), rtol=1e-6, atol=1e-6)


@pytest.mark.usefixtures("x64")
def test_gradients_are_those_of_differences():
    X, Y, a, b = map(jnp.asarray, problem(1))
    cost = jax.jit(lambda *given: srw(given[0], given[1], 2, given[2], given[3], tol=1e-10))
    for argument, gradient in enumerate(jax.grad(cost, argnums=(0, 1, 2, 3))(X, Y, a, b)):
        direction = np.random.default_rng(argument).standard_normal(gradient.shape)
        direction /= np.linalg.norm(direction)
        given = [X, Y, a, b]
        values = [
            cost(*given[:argument], given[argument] + step * direction, *given[argument + 1 :])
            for step in (-1e-4, 1e-4)
        ]
        difference = (values[1] - values[0]) / 2e-4
        assert float(np.sum(gradient * direction)) == pytest.approx(float(difference), rel=1e-4, abs=1e-4)


@pytest.mark.usefixtures("x64")
def test_vmap_is_a_loop():
    batch = [np.stack(arrays) for arrays in zip(*(problem(seed) for seed in range(3)), strict=True)]
    costs = jax.vmap(lambda X, Y, a, b: srw(X, Y, 2, a, b))(*batch)
    gradients = jax.jit(jax.vmap(jax.grad(lambda X, Y: srw(X, Y, 2)), in_axes=(0, None)))(batch[0], batch[1][0])
    for i in range(3):
        assert costs[i] == srw(*(arrays[i] for arrays in batch[:2]), 2, *(arrays[i] for arrays in batch[2:]))
        np.testing.assert_array_equal(gradients[i], sot.srw(batch[0][i], batch[1][0], 2).grad_X)


@pytest.mark.usefixtures("x64")
def test_descent():
    """Gradient steps of the right length carry points onto a target that is a translation of them."""
    X, _, _, _ = problem(0, n=12, d=6)
    target = X + np.eye(6)[0] * 5.0

    @jax.jit
    def step(X):
        return X - len(X) / 2 * jax.grad(lambda X: srw(X, target, 1))(X)

    assert srw(step(jnp.asarray(X)), target, 1) < 1e-2 * srw(X, target, 1)


def test_large_arrays_in_a_compiled_function():
    """Inputs that are computed, not given, once kept callbacks waiting for themselves."""
    rng = np.random.default_rng(0)
    X, Y = (jnp.asarray(rng.standard_normal((300, 40)), jnp.float32) for _ in range(2))
    value, gradient = jax.jit(jax.value_and_grad(lambda X: srw(2.0 * X @ jnp.eye(40), Y + 3.0, 1, tol=0.1)))(X)
    assert float(value) > 0.0
    assert gradient.shape == X.shape


# Types ---------------------------------------------------------------------------------------------------------------


def test_single_precision_is_double_precision_rounded():
    arrays = single()
    value, found = jax.value_and_grad(lambda X: srw(X, *arrays[1:2], 2, *arrays[2:]))(arrays[0])
    assert value.dtype == found.dtype == jnp.float32
    result = sot.srw(
        *(np.asarray(array, np.float64) for array in arrays[:2]),
        2,
        *(np.asarray(array, np.float64) for array in arrays[2:]),
    )
    assert float(value) == pytest.approx(result.cost, rel=SINGLE)
    np.testing.assert_allclose(found, result.grad_X, rtol=SINGLE)


def test_half_precision_comes_back():
    arrays = [array.astype(jnp.bfloat16) for array in single()]
    value, gradient = jax.value_and_grad(lambda X: srw(X, arrays[1], 1))(arrays[0])
    assert value.dtype == gradient.dtype == jnp.bfloat16


@pytest.mark.usefixtures("x64")
def test_double_precision_comes_back():
    X, Y, _, _ = problem()
    value, gradient = jax.value_and_grad(lambda X: srw(X, Y, 1))(X)
    assert value.dtype == gradient.dtype == jnp.float64


def test_without_x64_doubles_are_refused_not_rounded():
    X, Y, _, b = problem()
    message = (
        "`X` must be of a type that JAX keeps; got float64, which it would round to float32. Call `jax.config.update"
    )
    with pytest.raises(TypeError, match=re.escape(message)):
        srw(X, Y, 2)
    with pytest.raises(TypeError, match="`b` must be of a type that JAX keeps"):
        srw(X.astype(np.float32), Y.astype(np.float32), 2, b=b)
    with pytest.raises(TypeError, match="got int64, which it would round to float32"):
        srw(np.array([[2**24 + 1, 0]]), np.array([[1, 2]]), 1)
    assert srw(X.astype("float32"), Y.astype("float32"), 2).dtype == jnp.float32


def test_lists_and_integers():
    assert float(srw([[0.0, 0.0]], [[3.0, 4.0]], 1)) == pytest.approx(25.0)
    assert float(srw(np.array([[0, 0]]), jnp.array([[3, 4]]), k=1, a=[2], b=np.array([True]))) == pytest.approx(25.0)


# What is refused -----------------------------------------------------------------------------------------------------


def test_second_derivatives_are_refused():
    X, Y, _, _ = single()
    with pytest.raises(NotImplementedError, match=r"`subspaceot\.jax\.srw` has first derivatives only"):
        jax.jacrev(jax.grad(lambda X: srw(X, Y, 1)))(X)
    with pytest.raises(TypeError, match="custom_vjp"):  # JAX's own words
        jax.hessian(lambda X: srw(X, Y, 1))(X)


@pytest.mark.parametrize("name", ["k", "tol"])
def test_settings_are_constants(name):
    X, Y, _, _ = single()
    settings = {"k": 2, "tol": 1e-3}
    with pytest.raises(TypeError, match=re.escape(f"`{name}` must be a constant under `jax.jit`; got an argument")):
        jax.jit(lambda value: srw(X, Y, **{**settings, name: value}))(settings[name])
    assert jax.jit(srw, static_argnames=["k", "tol"])(X, Y, **settings).shape == ()


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (((2, 4, 3), (5, 3)), "X (n, d) and Y (m, d); got `X` (2, 4, 3). Use `jax.vmap`."),
        (((4, 3), (5, 2)), "`X` and `Y` must have the same number of columns; got 3 and 2."),
        (((4, 1), (5, 1)), "`k` must be between 1 and the dimension d=1; got 2."),
        (((4,), (5, 1)), "`X` must have shape (n, d) or (B, n, d); got (4,)."),
    ],
)
def test_shapes_are_checked(shapes, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        srw(*(jnp.ones(shape) for shape in shapes), 2)


def test_what_is_not_finite_is_named():
    X, Y, _, _ = single()
    with pytest.raises(ValueError, match=re.escape("`X` must be finite; got NaN in row 3")):
        srw(X.at[3, 0].set(jnp.nan), Y, 1)
    with pytest.raises(jax.errors.JaxRuntimeError, match=re.escape("`X` must be finite; got NaN in row 3")):
        jax.jit(lambda X: srw(X, Y, 1))(X.at[3, 0].set(jnp.nan)).block_until_ready()


def test_a_gap_above_tol_is_a_warning():
    X, Y, _, _ = single()
    with pytest.warns(RuntimeWarning, match="relative gap"):
        srw(X, Y, 2, tol=1e-17).block_until_ready()
