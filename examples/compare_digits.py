"""Handwritten ones and sevens
===========================

How do handwritten ones differ from handwritten sevens? Two of 64 directions tell most of the story.
"""

import time

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

import subspaceot as sot

SHADES = " .:*#"  # of ink, from 0 to 16


def picture(image):
    """Return the eight rows of an image as text."""
    return ["".join(SHADES[round(ink / 4)] * 2 for ink in row) for row in image.reshape(8, 8)]


images, labels = load_digits(return_X_y=True)
ones, sevens = images[labels == 1], images[labels == 7]
print(f"{len(ones)} images of a 1 against {len(sevens)} of a 7, {images.shape[1]} pixels each")

began = time.perf_counter()
W = sot.wasserstein(ones, sevens)
result = sot.srw(ones, sevens, k=2, tol=1e-4)
seconds = time.perf_counter() - began

low, high = np.sqrt([result.lower, result.upper])
print(f"\nWasserstein distance W, in all {images.shape[1]} directions: {W.distance:.3f}")
print(f"Subspace robust distance S_2: {result.distance:.3f}, solver bounds {low:.3f} to {high:.3f}")
least, most = result.lower / W.upper, result.upper / W.lower
print(f"Share of W^2 that S_2^2 explains: {least:.3%} to {most:.3%}")
print(f"Weights of its directions: {', '.join(f'{weight:.2f}' for weight in result.spectrum[:4])}, ...")

print("\nPixels that contribute most, with their mean ink (0 to 16):")
for pixel in np.argsort(-result.feature_share)[:6]:
    row, column = divmod(pixel, 8)
    ink = f"{ones[:, pixel].mean():4.1f} in a 1, {sevens[:, pixel].mean():4.1f} in a 7"
    print(f"  row {row}, column {column}: {result.feature_share[pixel]:5.1%} of the cost, {ink}")

print(f"\nOnes with the largest squared displacement (the mean is {result.point_cost.mean():.1f}):")
farthest = np.argsort(-result.point_cost)[:2]
for one in farthest:
    print(f"  number {one}: {result.point_cost[one]:.1f}")

seven = result.plan[farthest[0]].argmax()
print(f"\nOne number {farthest[0]} becomes seven number {seven}:")
for left, right in zip(picture(ones[farthest[0]]), picture(sevens[seven]), strict=True):
    print(f"  {left}  {right}".rstrip())

print(f"\nBoth distances took {seconds:.1f} s, imports included")

figure, axes = plt.subplots(figsize=(6, 4.5))
for images, name in ((ones, "ones"), (sevens, "sevens")):
    axes.scatter(*result.project(images).T, s=14, label=name)
axes.set(xlabel="first direction", ylabel="second direction", aspect="equal")
axes.legend()
plt.show()
