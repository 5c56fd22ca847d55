/** Inputs at random over all that is accepted, for properties. */
import fc from "fast-check";
import { boundsAt } from "../sizing/bounds.ts";
import { checkStashPlanInput } from "../sizing/input.ts";
import type { StashPlanInput } from "../sizing/types.ts";

/** Over orders of magnitude where a bound is far from the other, with the bounds themselves among them. */
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

const DRIVE = [
  "capacityBytes",
  "writeBytesPerSecond",
  "writeIops",
  "fsyncPerSecond",
  "driveWritesPerDay",
] as const;
const WHOLE = ["recordHeaderBytes", "recordAlignBytes", "drivesPerServer", "hddsPerPod"] as const;
const FRACTIONS = [
  ...["uploadsPerSecond", "peakFactor", "growthPerYear", "horizonYears", "residenceSecondsMean"],
  ...["residenceSecondsP99", "outageSeconds", "usableFraction", "maxFill", "maxUtilisation"],
  ...["logWriteAmplification", "deviceWriteAmplificationRatio", "writesPerShard", "purgeWritesPerShard"],
  ...["shardsPerCommit", "serviceYears", "serverPriceUsd", "vaultBytes", "hddPriceUsdPerTb"],
  ...["ssdAnnualFailureRate", "hddAnnualFailureRate", "outagesPerYear"],
];

const recordOf = (names: readonly string[], at: (name: string) => fc.Arbitrary<unknown>) =>
  fc.record(Object.fromEntries(names.map((name) => [name, at(name)])));

const scheme = fc
  .tuple(fc.integer({ min: 1, max: 15 }), fc.integer({ min: 1, max: 200 }))
  .chain(([parityShards, more]) =>
    fc.record({
      parityShards: fc.constant(parityShards + 1),
      dataShards: fc.constant(Math.min(256 - parityShards - 1, parityShards + 1 + more)),
      serverFailuresTolerated: fc.integer({ min: 1, max: parityShards }),
    }),
  );

const pool = fc.record({
  servers: numberAt("installed.servers", true),
  drivesPerServer: numberAt("installed.drivesPerServer", true),
});

/** Nothing, or not so little that the last bits of a number are missing. */
const mixShare = numberAt("objects.share").map((share) => (share < 1e-9 ? 0 : share));

const mix = fc.array(fc.record({ bytes: numberAt("objects.bytes", true), share: mixShare }), {
  minLength: 1,
  maxLength: 5,
});

/** Only what `checkStashPlanInput` accepts. */
export const acceptedInput: fc.Arbitrary<StashPlanInput> = fc
  .tuple(
    recordOf(FRACTIONS, (name) => numberAt(name)),
    recordOf(WHOLE, (name) => numberAt(name, true)),
    recordOf([...DRIVE, "warrantyYears", "priceUsd"], (name) => numberAt(`drive.${name}`)),
    scheme,
    fc.record({
      objects: mix,
      installed: fc.option(pool),
      podFlushBytesPerSecond: fc.option(numberAt("podFlushBytesPerSecond")),
    }),
  )
  .map(([fractions, whole, drive, shards, rest]) => {
    const given = { ...fractions, ...whole, ...shards, ...rest, drive: { ...drive, name: "any" } };
    const { residenceSecondsMean: mean, residenceSecondsP99: p99 } = fractions as Record<string, number>;
    return checkStashPlanInput({ ...given, residenceSecondsP99: Math.max(mean ?? 0, p99 ?? 0) }).input;
  })
  .filter((input) => input !== null);
