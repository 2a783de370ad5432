"""What certificates for some k prove for the others."""

import numpy as np
import pytest
import reference
import tolerances
from proof import assert_coupling, assert_soft_projector

import subspaceot as sot
from subspaceot.core.problem import Problem
from subspaceot.path.proofs import Proofs


@pytest.fixture(scope="module")
def known():
    X, Y = np.random.default_rng(0).standard_normal((2, 40, 8))
    whole, proofs = Problem.of(X, Y, 1), Proofs()
    certificates = {k: sot.srw(X, Y, k, tol=1e-4).certificate for k in (2, 4, 6)}
    for k, certificate in certificates.items():
        proofs.add(k, certificate)
    return whole, proofs, certificates


@pytest.mark.parametrize("k", range(1, 9))
def test_bounds_of_any_k_are_proven(known, k):
    whole, proofs, _ = known
    assert_proves(whole.at(k), proofs.certificate(whole.at(k)))


def assert_proves(problem, certificate):
    (lower, upper), k = certificate.ends, problem.k
    assert_coupling(upper.plan.dense(), problem.a, problem.b)
    V = reference.displacement(problem.X, problem.Y, upper.plan.dense())
    np.testing.assert_allclose(upper.V, V, atol=1e-12)
    assert upper.value == pytest.approx(reference.top_sum(V, k), rel=1e-12)
    assert_soft_projector(lower.omega, k)
    C = reference.cost_matrix(problem.X, problem.Y, lower.omega)
    assert (lower.f[:, None] + lower.g <= C + 1e-12).all()
    assert lower.value == pytest.approx(problem.a @ lower.f + problem.b @ lower.g, rel=1e-12)
    assert lower.value <= upper.value


@pytest.mark.parametrize(("k", "ends"), [(1, (0, 2)), (3, (2, 4)), (5, (4, 6)), (7, (6, 8))])
def test_lower_bounds_are_a_concave_hull(known, k, ends):
    whole, proofs, certificates = known
    values = {k: certificate.lower.value for k, certificate in certificates.items()} | {0: 0.0}
    values[8] = values[6]  # what holds for k = 6 holds for more

    assert proofs.certificate(whole.at(k)).lower.value == pytest.approx(np.mean([values[j] for j in ends]), rel=1e-12)


def test_the_best_plan_is_taken(known):
    whole, proofs, certificates = known
    for k in range(1, 9):
        sums = [reference.top_sum(certificate.upper.V, k) for certificate in certificates.values()]
        assert proofs.certificate(whole.at(k)).upper.value == pytest.approx(min(sums), rel=1e-12)


def test_what_is_known_stays_as_good(known):
    whole, proofs, certificates = known
    for k, certificate in certificates.items():
        lower, upper = proofs.certificate(whole.at(k)).ends
        assert lower.value >= certificate.lower.value
        assert upper.value <= certificate.upper.value * (1 + tolerances.ROUNDING)
    assert proofs.nearest(whole.at(4)) == (2, 6)
    assert proofs.nearest(whole.at(1)) == (0, 2)
    assert proofs.nearest(whole.at(6)) == (4, whole.r)


def test_sharpened_proofs_are_proofs_and_better(known):
    whole, proofs, _ = known
    improved = 0
    for k in (3, 5):
        problem = whole.at(k)
        mixed = proofs.certificate(problem)
        sharp = proofs.sharpened(problem, mixed, tol=1e-6)
        improved += (sharp.lower.value > mixed.lower.value) + (sharp.upper.value < mixed.upper.value)
        assert sharp.lower.value >= mixed.lower.value
        assert sharp.upper.value <= mixed.upper.value
        assert_proves(problem, sharp)
        assert proofs.sharpened(problem, mixed, tol=1.0).lower is mixed.lower  # where that is enough, no transport
    assert improved >= 2
