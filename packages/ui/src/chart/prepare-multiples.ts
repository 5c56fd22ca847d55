import type { PreparedChart } from "./model.ts";
import { type LinesInput, prepareLines } from "./prepare-lines.ts";

/** Small multiples on one scale, so that heights compare. */
export function prepareMultiples(inputs: readonly LinesInput[]): PreparedChart[] {
  let [largest, smallest] = [0, Number.POSITIVE_INFINITY];
  for (const { lines } of inputs) {
    for (const value of lines.flatMap((line) => [...line.values, ...(line.high ?? [])])) {
      if (value === null) continue;
      if (value > largest) largest = value;
      if (value > 0 && value < smallest) smallest = value;
    }
  }
  const scaledBy = Number.isFinite(smallest) ? [smallest, largest] : [];
  return inputs.map((input) => prepareLines({ ...input, scaledBy }));
}
