"""A result before the exact referee, who knows nothing of the package."""

from fractions import Fraction

import numpy as np
import scipy.sparse

from fuzz.referee import Case, Evidence, judge


def dense(plan):
    return plan.toarray() if scipy.sparse.issparse(plan) else np.asarray(plan)


def complaints(result, X, Y, a=None, b=None, *, tol=None, truth=None, sparse=False):
    """Return what is wrong with a result of `srw` or `prw` in exact arithmetic.

    `truth` is the exact value, or a pair of bounds; `tol` is given where the status has to fit the gap.
    """
    projected = hasattr(result, "upper_plan")
    claim = Evidence(
        k=result.k,
        lower=result.lower,
        upper=result.upper,
        gap=result.gap,
        status=result.status.name,
        tol=tol,
        factor=result.factor,
        potentials=result.potentials,
        plan=dense(result.plan),
        upper_plan=dense(result.upper_plan) if projected else None,
        sparse_plan=dense(result.sparse_plan) if sparse else None,
        p=Fraction(result.p) if projected else Fraction(2),
        projected=projected,
    )
    known = [] if truth is None else [truth if isinstance(truth, tuple) else (Fraction(truth), Fraction(truth))]
    return judge(Case(np.asarray(X), np.asarray(Y), a, b), claim, known).complaints
