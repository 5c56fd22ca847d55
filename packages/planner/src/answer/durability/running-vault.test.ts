import { markovAnnualLoss, nines } from "@stashlight/durability";
import { expect, test } from "vitest";
import { describeRebuildRate } from "./running-vault.ts";

const scheme = { dataShards: 16, parityShards: 4 };

test("a slower rebuild shows the nines that it costs, and an unchanged rate shows none", () => {
  const at = (rebuildDays: number) =>
    nines(
      markovAnnualLoss({
        ...scheme,
        annualFailureRate: 0.0155,
        rebuildDays,
        rebuildsAtOnce: Number.POSITIVE_INFINITY,
        commonCause: null,
      }),
    )?.toFixed(1);
  expect(describeRebuildRate(scheme, 16e12, { from: 32e6, to: 7e6 })).toBe(
    `A full pod of 16 TB is rebuilt in 26.5 days at 7 MB/s: an object then has ${at(16e12 / 7e6 / 86_400)} nines a year, instead of ${at(16e12 / 32e6 / 86_400)} with 5.79 days at 32 MB/s. Modelled: drives fail independently of each other, 1.55 % of them a year.`,
  );
  expect(describeRebuildRate(scheme, 16e12, { from: 7e6, to: 7e6 })).not.toContain("instead");
});
