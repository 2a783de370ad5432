"""Every tolerance of the tests, with its reason. `spread` is the trace of the data's pooled second moment."""

# --- promises of the package --------------------------------------------------------------------------------------

# Sums of a plan's rows and columns, relative to each weight: 4 units in the last place are promised, and the weights
# that tests compare with are normalised in doubles, one or two more.
MARGINALS = 6 * 2.0**-52

# Sums of all errors of a transport that is not rounded onto its marginals yet.
MASS = 1e-9

# Trace and eigenvalues of a soft projector.
PROJECTOR = 1e-9

# A bound that is recomputed from its proof, or two bounds that must be in order: a few thousand products of order
# `spread` are summed, each with a relative error of 2e-16. Also the promised size of a negative gap.
BOUND = 1e-12

# The sparse plan's own upper bound, relative to `upper`: promised.
SPARSE = 1e-3

# The referee against the interval, in units of `spread`: promised. Clarabel itself is good to about 1e-8.
REFEREE = 1e-6

# --- numbers recomputed another way --------------------------------------------------------------------------------

# Matrices and vectors of order one that differ by rounding alone.
ROUNDING = 1e-12

# The root of a singular matrix: an eigenvalue that is 0 up to 1e-16 has a root of 1e-8, with a small factor.
MATRIX_ROOT = 1e-7

# SciPy's linear programming meets its constraints to 1e-7 each by default, so its optimum is off by a few of them.
LINPROG = 1e-6

# An entropic plan with marginals off by t (a sum of absolute errors) differs from the exact one by some multiple of
# t that grows like cost / reg. For the agreement with a twin both are solved to 1e-12.
ENTROPIC_PLAN = 1e-7

# Iterates of the paper's algorithms: entropic plans (as above) are the least accurate thing that enters them.
ITERATES = 1e-6

# Of `tol`: the paper's algorithms solve the inner problem to marginal errors of 1e-3 `tol`, and a cost is wrong by
# that, times the ratio of a large cost to the mean one.
INNER = 2e-3

# Central differences with a step h = 1e-3 on values with a relative gap of 1e-8, the smallest that double precision
# always reaches: the value's error over h is 1e-5 of the cost, that of the formula h^2 = 1e-6 with a factor, and the
# gradient itself is off by about the root of the gap, 1e-4.
FINITE_DIFFERENCES = 3e-4
DIFFERENCE_STEP = 1e-3
DIFFERENCE_GAP = 1e-8

# Laws that compare intervals are sharper for narrower ones.
LAW_GAP = 1e-5

# Both clouds moved by 1e6 times their spread: coordinates keep 16 - 6 digits, and errors of squared distances of
# order one are twice those of the coordinates, with a factor for the largest of a few hundred of them.
FAR_AWAY = 1e-8

# A maximum of the smoothed projected cost, at a smoothing of three times tol = 1e-3: how much higher the exact cost
# may be close by, relative to it.
LOCAL_MAXIMUM = 1e-3

# A bound that is worked out again from what was saved: the same sums, made in another order.
SAVED = 1e-9
