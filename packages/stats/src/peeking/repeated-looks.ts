/**
 * Correction for repeated looks. A verdict is read after every slot, so the p-value of one look is too small: among
 * many looks at equal endpoints, one is small by chance. The displayed p-value is therefore the probability that any
 * look from the sixth slot to the thousandth is as extreme as this one.
 *
 * Each look has a weight by which its p-value is divided: 1 at ten slots, less before, when only a great difference
 * could be shown, and less after, when the number of slots makes up for it. So most of the error is spent where it
 * gains the most power, and the looks after the thousandth add almost nothing.
 */

export const LOOK_SLOTS_MIN = 6;
export const LOOK_SLOTS_MAX = 1000;

/** Powers of ten in quarter steps, from 1 downwards. */
export const weightedLevels: readonly number[] = Array.from({ length: 21 }, (_, i) => 10 ** (-i / 4));

/**
 * Probability that the smallest weighted p-value of all looks is at most each of the levels, from 1,000,000 paths of
 * `simulatePeeking` with the seed 1 (`pnpm bench statistics` simulates it again).
 */
export const peekingShares: readonly number[] = [
  1, 0.8017, 0.5504, 0.363, 0.2344, 0.1494, 0.09407, 0.0585, 0.03614, 0.0221, 0.0135, 0.008382, 0.005035,
  0.003007, 0.001821, 0.001094, 0.000655, 0.000396, 0.000236, 0.000138, 8.4e-5,
];

const HEAVIEST_LOOK = 10;

export function lookWeight(slotCount: number): number {
  const share = slotCount / HEAVIEST_LOOK;
  return share < 1 ? share ** 2 : share ** -1.5;
}

/** Returns the p-value of a test at `slotCount` slots, corrected for any number of looks. */
export function payForLooks(pValue: number, slotCount: number): number {
  return shareOfLevel(pValue / lookWeight(slotCount));
}

/** Returns the p-value of one look at `slotCount` slots that becomes `paid` after correction for all looks. */
export function levelOfLook(paid: number, slotCount: number): number {
  let low = 0;
  let high = 1;
  for (let i = 0; i < 60; i += 1) {
    const middle = (low + high) / 2;
    if (payForLooks(middle, slotCount) > paid) high = middle;
    else low = middle;
  }
  return low;
}

const LEVELS_A_DECADE = 4;
const last = weightedLevels.length - 1;

/**
 * Interpolates between two levels by their logarithms. Below the last one the shares keep falling as over the last
 * decade: the true ones fall faster, so the result is too large rather than too small.
 */
function shareOfLevel(level: number): number {
  if (level >= 1) return 1;
  if (level <= 0) return 0;
  const [left, right] = placesAround(level);
  const [above, below] = [peekingShares[left] as number, peekingShares[right] as number];
  const part = Math.log(level / at(left)) / Math.log(at(right) / at(left));
  return Math.exp((1 - part) * Math.log(above) + part * Math.log(below));
}

const at = (place: number): number => weightedLevels[place] as number;

function placesAround(level: number): [number, number] {
  if (level <= at(last)) return [last - LEVELS_A_DECADE, last];
  const left = Math.min(last - 1, Math.floor(-LEVELS_A_DECADE * Math.log10(level)));
  return [left, left + 1];
}
