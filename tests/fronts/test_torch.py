"""The losses for PyTorch: values and derivatives, batches, types, warm starts, and what is refused."""

import copy
import io
import re

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

import subspaceot as sot
from subspaceot.torch import PRWLoss, SRWLoss

# Central differences of costs whose gap is 1e-12, with a step of 1e-4: both errors are below 1e-7 of the cost. A
# gradient is off by about the root of the gap, 1e-6.
GAP, STEP, GRADIENT = 1e-12, 1e-4, 1e-6


def problem(seed, n=6, m=5, d=4, shift=3.0):
    """Return points and weights as tensors in double precision that ask for gradients."""
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((n, d)), rng.standard_normal((m, d)) + shift * np.eye(d)[0]
    weights = rng.uniform(0.5, 1.5, n), rng.uniform(0.5, 1.5, m)
    return [torch.tensor(array, requires_grad=True) for array in (*points, *weights)]


def gradients(loss, *tensors):
    """Return the cost and its gradients."""
    cost = loss(*tensors)
    return cost, torch.autograd.grad(cost.sum(), tensors)


def batch(B=3, n=8, m=6, d=3, seed=0):
    """Return points and weights of B problems."""
    problems = [problem(seed + i, n, m, d) for i in range(B)]
    return [torch.stack(tensors).detach().requires_grad_() for tensors in zip(*problems, strict=True)]


def interval(result):
    return result.lower, result.upper


# Values and gradients ------------------------------------------------------------------------------------------------


def test_cost_and_gradients_are_those_of_srw():
    tensors = problem(0)
    loss = SRWLoss(k=2)
    cost, found = gradients(loss, *tensors)
    X, Y, a, b = (tensor.detach().numpy() for tensor in tensors)
    result = sot.srw(X, Y, 2, a, b)
    assert cost.item() == result.cost == loss.results[0].cost
    np.testing.assert_array_equal(found[0].numpy(), result.grad_X)
    np.testing.assert_array_equal(found[1].numpy(), result.grad_Y)


@pytest.mark.filterwarnings("ignore:The distance has a relative gap")  # by rounding, somewhat above 1e-12
@pytest.mark.parametrize("seed", range(20))
def test_gradcheck(seed):
    """In fast mode, along random directions; entry by entry 2 of the 20 miss by the order of the root of GAP."""
    rng = np.random.default_rng(seed)
    n, m, d = rng.integers([2, 2, 2], [6, 6, 5])
    k = int(rng.integers(1, d))
    loss = SRWLoss(k, tol=GAP)
    settings = {"eps": STEP, "atol": GRADIENT, "rtol": GRADIENT}
    assert torch.autograd.gradcheck(loss, problem(seed, n, m, d), fast_mode=True, **settings)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("p", [1.5, 2.0, 3.0])
def test_gradcheck_of_projections(seed, p):
    """At k = d there is one subspace only, at k = 1 the best one is a smooth maximum."""
    X, Y, a, b = problem(seed, 4, 4, 2, shift=5.0)
    for k in (1, 2):
        loss = PRWLoss(k, p=p, tol=GAP)
        assert torch.autograd.gradcheck(loss, (X, Y, a, b), eps=STEP, atol=1e-4, rtol=1e-4, fast_mode=True)


def test_descent_in_the_weights_finds_the_planted_ones():
    """The first cloud is the second one with its weights unknown: at the right ones the distance is 0."""
    rng = np.random.default_rng(0)
    points = torch.tensor(rng.standard_normal((5, 3)))
    weights = torch.tensor([0.4, 0.3, 0.15, 0.1, 0.05], dtype=torch.float64)
    logits = torch.zeros(5, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.Adam([logits], lr=0.1)
    loss = SRWLoss(k=2, tol=1e-2)
    for _ in range(60):
        optimiser.zero_grad()
        cost = loss(points, points, torch.softmax(logits, 0), weights)
        cost.backward()
        optimiser.step()
    assert (torch.softmax(logits, 0) - weights).abs().max() < 0.02


def test_gradients_in_weights_do_not_depend_on_their_sum():
    X, Y, a, b = problem(1)
    cost, found = gradients(SRWLoss(k=2), X, Y, a, b)
    tenfold = (10.0 * a).detach().requires_grad_()
    same, other = gradients(SRWLoss(k=2), X, Y, tenfold, b)
    assert same.item() == pytest.approx(cost.item(), rel=1e-12)
    torch.testing.assert_close(10.0 * other[2], found[2])
    assert abs((found[2] @ a).item()) < 1e-10  # homogeneous of degree 0
    assert abs((found[3] @ b).item()) < 1e-10


def test_a_point_that_has_no_weight_yet_has_a_one_sided_derivative():
    X, Y, a, b = (tensor.detach() for tensor in problem(2))
    a[0] = 0.0
    a.requires_grad_()
    loss = SRWLoss(k=2, tol=1e-8)
    cost, (slope,) = loss(X, Y, a, b), torch.autograd.grad(loss(X, Y, a, b), a)
    step = torch.zeros_like(a)
    step[0] = 1e-4
    difference = (loss(X, Y, (a + step).detach(), b) - cost) / 1e-4
    assert slope[0].item() == pytest.approx(difference.item(), rel=1e-2)


def test_the_gradient_is_scaled_by_what_the_cost_goes_into():
    X, Y, a, b = problem(3)
    loss = SRWLoss(k=1)
    (plain,) = torch.autograd.grad(loss(X, Y, a, b), X)
    (of_root,) = torch.autograd.grad(loss(X, Y, a, b).sqrt(), X)
    torch.testing.assert_close(of_root, plain / (2.0 * loss(X, Y, a, b).sqrt()))


def test_two_clouds_are_matched_among_dimensions_of_noise():
    """In 20 dimensions, 18 of them noise, points move onto a target that differs in two."""
    rng = np.random.default_rng(0)
    target = torch.tensor(rng.standard_normal((40, 20)) * 0.1)
    target[:, :2] += torch.tensor(rng.standard_normal((40, 2)) * 2.0 + [4.0, -2.0])
    X = torch.tensor(rng.standard_normal((40, 20)) * 0.1, requires_grad=True)
    noise = X.detach()[:, 2:].clone()
    optimiser, loss = torch.optim.SGD([X], lr=8.0), SRWLoss(k=2, tol=1e-2)
    costs = []
    for _ in range(12):
        optimiser.zero_grad()
        cost = loss(X, target)
        cost.backward()
        optimiser.step()
        costs.append(cost.item())
    plane = sot.wasserstein(X.detach().numpy()[:, :2], target.numpy()[:, :2])
    assert plane.cost < 1e-2 * costs[0]
    assert costs[-1] < 2e-2 * costs[0]
    moved_in_noise = (X.detach()[:, 2:] - noise).norm() / (X.detach()[:, :2]).norm()
    assert moved_in_noise < 0.1


# Batches -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [lambda: SRWLoss(k=2), lambda: PRWLoss(k=1)], ids=["SRW", "PRW"])
def test_a_batch_is_a_loop(make):
    tensors = batch()
    costs, found = gradients(make(), *tensors)
    assert costs.shape == (3,)
    for i in range(3):
        one = [tensor[i].detach().requires_grad_() for tensor in tensors]
        cost, of_one = gradients(make(), *one)
        assert cost.item() == costs[i].item()
        for whole, part in zip(found, of_one, strict=True):
            assert torch.equal(whole[i], part)


def test_one_cloud_beside_a_batch_is_compared_with_each():
    X, Y, a, b = batch()
    loss = SRWLoss(k=2)
    costs = loss(X, Y[0], a, b[0])
    repeated = loss(X, Y[0].expand(3, -1, -1), a, b[0].expand(3, -1))
    assert costs.shape == (3,)
    torch.testing.assert_close(costs, repeated, rtol=2e-3, atol=0.0)
    target = Y[0].detach().requires_grad_()
    (shared,) = torch.autograd.grad(SRWLoss(k=2)(X, target).sum(), target)
    alone = sum(torch.autograd.grad(SRWLoss(k=2)(X[i], target), target)[0] for i in range(3))
    torch.testing.assert_close(shared, alone)


def test_results_belong_to_the_problems_of_the_batch():
    loss = SRWLoss(k=2)
    costs = loss(*batch())
    assert [result.cost for result in loss.results] == costs.tolist()


def test_weights_of_one_problem_serve_a_batch():
    X, Y, a, _ = batch()
    torch.testing.assert_close(SRWLoss(k=1)(X, Y, a[0]), SRWLoss(k=1)(X, Y, a[0].expand(3, -1)))


# Types ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_types_come_back(dtype):
    X, Y, a, b = (tensor.detach().to(dtype).requires_grad_() for tensor in problem(0))
    cost, found = gradients(SRWLoss(k=2), X, Y, a, b)
    assert cost.dtype == dtype
    assert all(gradient.dtype == dtype for gradient in found)
    doubles = [tensor.detach().double().requires_grad_() for tensor in (X, Y, a, b)]
    exact, of_exact = gradients(SRWLoss(k=2), *doubles)  # of the same numbers, which doubles hold exactly
    torch.testing.assert_close(cost, exact.to(dtype), rtol=0.0, atol=0.0)
    for gradient, expected in zip(found, of_exact, strict=True):
        torch.testing.assert_close(gradient, expected.to(dtype), rtol=0.0, atol=0.0)


def test_mixed_types_come_back_each_in_its_own():
    X, Y, a, _ = (tensor.detach() for tensor in problem(0))
    X, Y, a = X.float().requires_grad_(), Y.double().requires_grad_(), a.bfloat16().requires_grad_()
    cost, found = gradients(SRWLoss(k=1), X, Y, a)
    assert cost.dtype == torch.float32
    assert [gradient.dtype for gradient in found] == [torch.float32, torch.float64, torch.bfloat16]


def test_integers_and_uniform_weights():
    X, Y = torch.tensor([[0, 0], [0, 2]]), torch.tensor([[3, 0], [3, 2]])
    cost = SRWLoss(k=1)(X, Y)
    assert cost.dtype == torch.get_default_dtype()
    assert cost.item() == pytest.approx(9.0)
    assert not cost.requires_grad


def test_views_and_strides():
    X, Y, _, _ = problem(0)
    transposed = X.detach().t().contiguous().t().requires_grad_()
    cost, (gradient,) = gradients(lambda X: SRWLoss(k=2)(X, Y), transposed)
    expected, (of_expected,) = gradients(lambda X: SRWLoss(k=2)(X, Y), X)
    assert cost.item() == expected.item()
    assert torch.equal(gradient, of_expected)


# Warm starts ---------------------------------------------------------------------------------------------------------


def test_a_warm_start_changes_no_value_beyond_tol():
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((60, 8)), rng.standard_normal((60, 8)) + 1.0
    tol = 1e-3
    warm, cold, steps = SRWLoss(k=2, tol=tol), SRWLoss(k=2, tol=tol, warm_start=False), []
    for step in range(5):
        moved = torch.tensor(X + 0.02 * step)
        values = warm(moved, torch.tensor(Y)).item(), cold(moved, torch.tensor(Y)).item()
        assert abs(values[0] - values[1]) <= tol * max(values)
        for result in (warm.results[0], cold.results[0]):
            assert result.gap <= tol
        steps.append((warm.results[0].n_iter, cold.results[0].n_iter))
        of_srw = sot.srw(moved.numpy(), Y, 2, tol=tol)
        assert cold.results[0].lower == of_srw.lower  # nothing is left of the calls before
    assert sum(w for w, _ in steps[1:]) < sum(c for _, c in steps[1:])


def test_a_start_from_another_problem_does_no_harm():
    """Other data, another number of points, another dimension, a smaller batch: each call is right by itself."""
    loss = SRWLoss(k=2, tol=1e-3)
    for tensors in (problem(0), problem(1, n=20, m=9), problem(2, d=7), batch(), problem(3, d=3)):
        cost = loss(*tensors)
        fresh = SRWLoss(k=2, tol=1e-3, warm_start=False)
        torch.testing.assert_close(cost, fresh(*tensors), rtol=1e-3, atol=0.0)


def test_a_copy_starts_anew():
    loss = SRWLoss(k=2, tol=1e-2)
    loss(*problem(0))
    assert copy.deepcopy(loss).results == ()
    buffer = io.BytesIO()
    torch.save(loss, buffer)
    buffer.seek(0)
    again = torch.load(buffer, weights_only=False)
    assert (again.k, again.tol, again.warm_start, again.results) == (2, 1e-2, True, ())
    assert len(loss.results) == 1


# As a module ---------------------------------------------------------------------------------------------------------


def test_settings_are_shown():
    assert repr(SRWLoss(k=2, tol=1e-3)) == "SRWLoss(k=2, tol=0.001, warm_start=True)"
    assert repr(PRWLoss(k=1)) == "PRWLoss(k=1, p=2, tol=0.001, n_starts=1)"
    assert list(SRWLoss(k=2).state_dict()) == list(SRWLoss(k=2).parameters()) == []


def test_without_gradients():
    X, Y, a, b = problem(0)
    with torch.no_grad():
        assert not SRWLoss(k=1)(X, Y, a, b).requires_grad
    with torch.inference_mode():
        assert SRWLoss(k=1)(X, Y).item() > 0.0


def test_functional_gradient():
    X, Y, _, _ = problem(0)
    loss = SRWLoss(k=1)
    found = torch.func.grad(lambda X: loss(X, Y.detach()))(X.detach())
    torch.testing.assert_close(found, torch.autograd.grad(loss(X, Y.detach()), X)[0])


def test_projections_are_those_of_prw():
    X, Y, a, b = problem(0)
    loss = PRWLoss(k=1, p=1.5, n_starts=2)
    cost, found = gradients(loss, X, Y, a, b)
    result = sot.prw(
        *(tensor.detach().numpy() for tensor in (X, Y)), 1, *(w.detach().numpy() for w in (a, b)), p=1.5, n_starts=2
    )
    assert cost.item() == result.cost
    np.testing.assert_array_equal(found[0].numpy(), result.grad_X)
    assert isinstance(loss.results[0], sot.ProjectedResult)


# What is refused -----------------------------------------------------------------------------------------------------

SECOND = "SRWLoss and PRWLoss have first derivatives only"


def test_second_derivatives_are_refused():
    X, Y, _, _ = problem(0)
    (gradient,) = torch.autograd.grad(SRWLoss(k=1)(X, Y), X, create_graph=True)
    assert gradient.shape == X.shape
    with pytest.raises(NotImplementedError, match=SECOND):
        gradient.square().sum().backward()
    with pytest.raises(NotImplementedError, match=SECOND):
        torch.autograd.functional.hessian(lambda X: SRWLoss(k=1)(X, Y.detach()), X.detach())
    with pytest.raises(NotImplementedError, match=SECOND):
        torch.func.jacrev(torch.func.grad(lambda X: SRWLoss(k=1)(X, Y.detach())))(X.detach())


@pytest.mark.slow  # loading the compiler takes many seconds
@pytest.mark.filterwarnings("ignore")  # of the compiler's own
def test_a_compiled_function_around_the_loss():
    X, Y, _, _ = problem(0)
    loss = torch.compiler.disable(SRWLoss(k=1))
    cost = torch.compile(lambda X: 2.0 * loss(X, Y), backend="eager")(X)
    assert cost.item() == pytest.approx(2.0 * SRWLoss(k=1)(X, Y).item(), rel=1e-3)
    assert torch.autograd.grad(cost, X)[0].shape == X.shape


def test_vmap_is_refused():
    X, Y, _, _ = batch()
    with pytest.raises(NotImplementedError, match=re.escape("Pass batches instead: X (B, n, d)")):
        torch.func.vmap(SRWLoss(k=1))(X, Y)


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ({"X": (4, 3), "Y": (5, 2)}, "`X` and `Y` must have the same number of columns; got 3 and 2."),
        ({"X": (4,), "Y": (5, 2)}, "`X` must have shape (n, d) or (B, n, d); got (4,)."),
        ({"X": (2, 4, 3), "Y": (3, 5, 3)}, "All batches must have the same size B; got 2 in `X`, 3 in `Y`."),
        ({"X": (4, 3), "Y": (5, 3), "a": (5,)}, "`a` must hold one weight for each of the 4 points of `X`; got 5."),
        ({"X": (0, 4, 3), "Y": (5, 3)}, "A batch must hold at least one problem; got an empty one."),
        ({"X": (4, 1), "Y": (5, 1)}, "`k` must be between 1 and the dimension d=1; got 2."),
    ],
)
def test_shapes_are_checked(shapes, message):
    tensors = {name: torch.ones(shape) for name, shape in shapes.items()}
    with pytest.raises(ValueError, match=re.escape(message)):
        SRWLoss(k=2)(**tensors)


def test_arrays_are_no_tensors():
    message = "`X` must be of type torch.Tensor; got ndarray. Pass `torch.as_tensor(X)`."
    with pytest.raises(TypeError, match=re.escape(message)):
        SRWLoss(k=1)(np.ones((2, 2)), torch.ones(2, 2))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"k": 0}, "`k` must be"),
        ({"k": 2.0}, "`k` must be"),
        ({"k": 1, "tol": -1.0}, "`tol` must be"),
        ({"k": 1, "warm_start": "yes"}, "`warm_start` must be"),
    ],
)
def test_settings_are_checked(settings, message):
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        SRWLoss(**settings)


def test_what_is_not_finite_is_named():
    X, Y, _, _ = batch()
    X = X.detach().clone()
    X[1, 4, 0] = float("nan")
    with pytest.raises(ValueError, match=re.escape("`X` must be finite; got NaN in row 4")) as caught:
        SRWLoss(k=1)(X, Y)
    assert caught.value.__notes__ == ["It is problem 1 of the batch, counted from 0."]


def test_a_gap_above_tol_is_a_warning():
    X, Y, _, _ = problem(0)
    with pytest.warns(RuntimeWarning, match="relative gap"):
        SRWLoss(k=2, tol=1e-17)(X, Y)
