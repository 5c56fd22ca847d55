/** Random inputs over the whole accepted range, for properties. */
import fc from "fast-check";
import { checkStashPlanInput } from "../sizing/input.ts";
import type { StashPlanInput } from "../sizing/plan-types.ts";
import { isNumberRow, type Row } from "../sizing/rows/row.ts";
import { boundsAt, inputRows, type PlanPart } from "../sizing/table.ts";

/** Draws over orders of magnitude if the bounds are far apart, and includes the bounds themselves. */
function numberAt(path: string, isWhole = false): fc.Arbitrary<number> {
  const bounds = boundsAt(path);
  if (bounds === null) throw new Error(`${path} is no number`);
  const { min, max } = bounds;
  if (isWhole) return fc.oneof(fc.integer({ min, max: Math.min(max, min + 30) }), fc.integer({ min, max }));
  const even = fc.double({ min, max, noNaN: true });
  if (min <= 0)
    return fc.oneof(even, fc.constantFrom(min, max), fc.double({ min: 0, max: max / 1e4, noNaN: true }));
  const exponent = fc.double({ min: Math.log(min), max: Math.log(max), noNaN: true });
  const overMagnitudes = exponent.map((power) => Math.min(max, Math.max(min, Math.exp(power))));
  return fc.oneof(overMagnitudes, even, fc.constantFrom(min, max));
}

/** Figures of the scheme, whose bounds depend on each other. */
const SCHEME: readonly string[] = ["dataShards", "parityShards", "serverFailuresTolerated"];

const partArbitrary = (part: PlanPart | null) =>
  fc.record(
    Object.fromEntries(
      inputRows(part)
        .filter(([name]) => !SCHEME.includes(name))
        .map(([name, row]) => [name, rowArbitrary(part === null ? name : `${part}.${name}`, row)]),
    ),
  );

function rowArbitrary(path: string, row: Row): fc.Arbitrary<unknown> {
  if (!isNumberRow(row)) return fc.constant("any");
  const number = numberAt(path, row.isWhole);
  return row.default === null ? fc.option(number) : number;
}

const scheme = fc
  .tuple(fc.integer({ min: 1, max: 15 }), fc.integer({ min: 1, max: 200 }))
  .chain(([parityShards, more]) =>
    fc.record({
      parityShards: fc.constant(parityShards + 1),
      dataShards: fc.constant(Math.min(256 - parityShards - 1, parityShards + 1 + more)),
      serverFailuresTolerated: fc.integer({ min: 1, max: parityShards }),
    }),
  );

/** Zero, or large enough to keep full precision. */
const mixShare = numberAt("objects.share").map((share) => (share < 1e-9 ? 0 : share));

const mix = fc.array(fc.record({ bytes: numberAt("objects.bytes", true), share: mixShare }), {
  minLength: 1,
  maxLength: 5,
});

/** Draws only inputs that `checkStashPlanInput` accepts. */
export const acceptedInput: fc.Arbitrary<StashPlanInput> = fc
  .tuple(
    partArbitrary(null),
    partArbitrary("drive"),
    scheme,
    fc.record({ objects: mix, installed: fc.option(partArbitrary("installed")) }),
  )
  .map(([own, drive, shards, rest]) => {
    const { residenceSecondsMean: mean, residenceSecondsP99: p99 } = own as Record<string, number>;
    const residenceSecondsP99 = Math.max(mean ?? 0, p99 ?? 0);
    return checkStashPlanInput({ ...own, ...shards, ...rest, drive, residenceSecondsP99 }).input;
  })
  .filter((input) => input !== null);
