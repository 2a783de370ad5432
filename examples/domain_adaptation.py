"""Domain adaptation: a classifier for another scanner
====================================================

A classifier of digits was trained on images of one scanner. A second one distorts them: it stretches two directions of
the 64 pixels threefold and shifts them, and both add noise to every pixel. No image of the second scanner has a label.
Training images are moved onto the unlabelled ones, and the classifier is trained again on what comes out.
"""

import warnings

import numpy as np
import ot
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from subspaceot.sklearn import SubspaceTransport

N, NOISE = 400, 3.0  # images of each scanner, and the standard deviation of a pixel's noise; ink is from 0 to 16
FOLDS = 5


def second_scanner(images):
    """Return the images as the second scanner sees them, but for its noise."""
    mean = images.mean(axis=0)
    leading = np.linalg.svd(images - mean, full_matrices=False)[2][:2].T
    return images + 2.0 * (images - mean) @ leading @ leading.T + leading @ [30.0, -30.0]


def accuracy(training_images, training_labels):
    """Return the accuracy on new images of the second scanner."""
    classifier = LogisticRegression(C=0.01, max_iter=10_000).fit(training_images, training_labels)
    return classifier.score(new, new_labels)


def fewest(results):
    """Return the place of the smallest k whose score is within one standard error of the best."""
    mean, error = results["mean_test_score"], results["std_test_score"] / np.sqrt(FOLDS)
    return int(np.argmax(mean >= mean.max() - error[mean.argmax()]))


rng = np.random.default_rng(0)
clean, labels = load_digits(return_X_y=True)
images = [scan + NOISE * rng.standard_normal(clean.shape) for scan in (clean, second_scanner(clean))]
order = rng.permutation(len(clean))
first, second, rest = order[:N], order[N : 2 * N], order[2 * N :]
source, source_labels = images[0][first], labels[first]
target, target_labels = images[1][second], labels[second]
new, new_labels = images[1][rest], labels[rest]

# %%
# How many directions? Cross-validation over k: the rows of each fold are moved by what the others taught, and the score
# is the share of the energy distance between both scanners that is gone. It needs no labels of digits. More directions
# than enough hardly change the score, so the smallest k within one standard error of the best is chosen.

both, scanner = np.vstack([source, target]), np.repeat(["first", "second"], N)
folds, grid = StratifiedKFold(FOLDS, shuffle=True, random_state=0), {"k": [1, 2, 3, 4, 8, 16, 64]}
search = GridSearchCV(SubspaceTransport(tol=5e-2, source="first"), grid, cv=folds, refit=fewest).fit(both, scanner)
for settings, score in zip(search.cv_results_["params"], search.cv_results_["mean_test_score"], strict=True):
    print(f"k = {settings['k']:2d}: {score:6.1%} of the difference removed")
print(f"chosen: k = {search.best_params_['k']}")

# %%
# The plan moves images in these directions only. A plan in all 64 directions, such as that of entropic transport, moves
# them by noise too, and its images are means of many. Its regularisation has no score that would choose it without
# labels, so here are several values. The best of them, which only the labels of the new images show, is about as good
# as the k that was chosen without any.

print("\naccuracy on new images of the second scanner")
print(f"  trained on the first scanner           {accuracy(source, source_labels):.3f}")
print(
    f"  means moved onto each other            "
    f"{accuracy(source - source.mean(axis=0) + target.mean(axis=0), source_labels):.3f}"
)
for reg in (0.003, 0.01, 0.03, 0.1):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # small values of reg do not converge
        moved = ot.da.SinkhornTransport(reg_e=reg, norm="max").fit(Xs=source, Xt=target).transform(Xs=source)
    print(f"  ot.da.SinkhornTransport, reg {reg:<10g}{accuracy(moved, source_labels):.3f}")
for k in (search.best_params_["k"], 64):
    moved = SubspaceTransport(k=k, tol=5e-2, source="first").fit(both, scanner).transform(source)
    print(f"  SubspaceTransport, k = {k:<16d}{accuracy(moved, source_labels):.3f}")
print(f"  trained on labels of the second one    {accuracy(target, target_labels):.3f}")
