"""A correlation that changes its sign
===================================

A correlation changes its sign while every single feature keeps its law: tests per feature see nothing, ours does.

Eight sensors of a machine, each with mean 0 and variance 1 on both days. On the first day pressure rises with
temperature, on the second it falls.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import ks_2samp, ttest_ind

import subspaceot as sot

SENSORS = ("temperature", "pressure", "speed", "torque", "current", "voltage", "flow", "vibration")
ROWS, CORRELATION = 150, 0.6


def day(rng, correlation):
    """Return the rows of one day (ROWS, 8); only temperature and pressure depend on each other."""
    rows = rng.standard_normal((ROWS, len(SENSORS)))
    rows[:, 1] = correlation * rows[:, 0] + np.sqrt(1.0 - correlation**2) * rows[:, 1]
    return rows


rng = np.random.default_rng(0)
first, second = day(rng, CORRELATION), day(rng, -CORRELATION)

print("Each sensor alone")
print(f"  {'':12s} {'t-test':>8s} {'Kolmogorov-Smirnov':>20s}")
t_tests, ks_tests = ttest_ind(first, second).pvalue, ks_2samp(first, second).pvalue
for name, t_test, ks_test in zip(SENSORS, t_tests, ks_tests, strict=True):
    print(f"  {name:12s} p = {t_test:.3f} {f'p = {ks_test:.3f}':>20s}")

test = sot.two_sample_test(first, second)
print(f"\nAll sensors together: p = {test.p_value:.3f}, by the {test.leading.name}")
print("The direction in which the days differ most:")
shares = test.direction**2
for j in np.argsort(-shares)[:3]:
    print(f"  {SENSORS[j]:12s} {shares[j]:6.1%}")

along = [np.var(rows @ test.direction) for rows in (first, second)]
print(f"Variance along it: {along[0]:.2f} on the first day, {along[1]:.2f} on the second")

figure, panels = plt.subplots(1, 2, figsize=(7, 3.6), sharex=True, sharey=True)
for panel, rows, name in zip(panels, (first, second), ("first day", "second day"), strict=True):
    panel.scatter(rows[:, 0], rows[:, 1], s=12, alpha=0.7)
    panel.set(title=name, xlabel="temperature", aspect="equal")
panels[0].set(ylabel="pressure")
figure.tight_layout()
plt.show()
