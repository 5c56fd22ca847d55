import { failuresPerYear, markovAnnualLoss, nines } from "@stashlight/durability";
import { expect, test } from "vitest";
import { describeLossUntilWhole, describeRebuildRate } from "./running-vault.ts";

const scheme = { dataShards: 16, parityShards: 4 };

test("the last spare shard's chance is that of one failure before a rebuild ends", () => {
  const secondsLeft = 5.8 * 86_400;
  const sentence = describeLossUntilWhole({ dataShards: 1, parityShards: 1 }, { missing: 1, secondsLeft });
  const failures = failuresPerYear(0.0155);
  const rebuilds = 365 / 5.8;
  const odds = Math.round((failures + rebuilds) / failures / 100) * 100;
  expect(sentence).toContain(`is 1 in ${odds.toLocaleString("en-US")}; one more failure loses data.`);
  expect(sentence).toMatch(/^1 of 2 pods lacks shards: /);
});

test("more missing pods than a scheme spares have no chance but a fact", () => {
  expect(describeLossUntilWhole(scheme, { missing: 5, secondsLeft: 60 })).toBe(
    "5 of 20 pods lack shards, and 16+4 spares 4: objects that all of these lack cannot be read.",
  );
});

test("a slower rebuild names the nines that it costs, and the rate that stays names none", () => {
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
