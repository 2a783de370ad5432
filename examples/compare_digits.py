"""How do handwritten threes differ from handwritten eights? Two of 64 pixel directions tell half of the story."""

import time

import numpy as np
from sklearn.datasets import load_digits

import subspaceot as sot

SHADES = " .:*#"  # of ink, from 0 to 16


def picture(image):
    """Return the eight rows of an image as text."""
    return ["".join(SHADES[round(ink / 4)] * 2 for ink in row) for row in image.reshape(8, 8)]


images, labels = load_digits(return_X_y=True)
threes, eights = images[labels == 3], images[labels == 8]
print(f"{len(threes)} images of a 3 against {len(eights)} of an 8, {images.shape[1]} pixels each")

began = time.perf_counter()
everywhere = sot.wasserstein(threes, eights)
result = sot.srw(threes, eights, k=2)
seconds = time.perf_counter() - began

low, high = np.sqrt([result.lower, result.upper])
print(f"\nDistance in the 2 directions that differ most: {result.distance:.2f}, certainly in [{low:.2f}, {high:.2f}]")
print(f"Distance in all {images.shape[1]} directions: {everywhere.distance:.2f}")
least, most = result.lower / everywhere.upper, result.upper / everywhere.lower
print(f"2 directions explain {least:.2%} to {most:.2%} of the squared distance")

print("\nPixels that carry it, with their mean ink (0 to 16):")
for pixel in np.argsort(-result.feature_share)[:6]:
    row, column = divmod(pixel, 8)
    ink = f"{threes[:, pixel].mean():4.1f} in a 3, {eights[:, pixel].mean():4.1f} in an 8"
    print(f"  row {row}, column {column}: {result.feature_share[pixel]:5.1%} of the cost, {ink}")

print(f"\nThe threes that move most (mean squared move {result.point_cost.mean():.0f}):")
movers = np.argsort(-result.point_cost)[:3]
for three in movers:
    print(f"  number {three}: {result.point_cost[three]:.0f}")

goal = result.plan[movers[0]].argmax()
print(f"\nThree number {movers[0]} becomes eight number {goal}:")
for left, right in zip(picture(threes[movers[0]]), picture(eights[goal]), strict=True):
    print(f"  {left}  {right}".rstrip())

print(f"\nBoth distances took {seconds:.1f} s, imports included")
