import fc from "fast-check";
import { expect, test } from "vitest";
import {
  checkVolume,
  compareVolumes,
  type Demand,
  type EbsType,
  serveDemand,
  usEastPrices,
} from "./index.ts";

const today = { month: "2026-11", ignoresFloor: false };
const options = { at: today, prices: usEastPrices, sizeGiBMin: 1 };
const constant = (seconds: number, iops: number, kib = 4): Demand => ({
  steps: [{ seconds, iops, kib, readShare: 0.5 }],
  pattern: "random",
});
const findRow = (demand: Demand, type: EbsType, given: Partial<typeof options> = {}) => {
  const row = compareVolumes(demand, { ...options, ...given }).rows.find((each) => each.type === type);
  if (row === undefined) throw new Error(`No row for ${type}.`);
  return row;
};

test("for 3,000 IOPS all month, gp2 needs 1,000 GiB, io1 60 GiB, and gp3 is the cheapest", () => {
  const demand = constant(30 * 86_400, 3_000);
  expect(findRow(demand, "gp2").volume?.sizeGiB).toBe(1_000);
  expect(findRow(demand, "io1").volume).toEqual({
    type: "io1",
    sizeGiB: 60,
    iops: 3_000,
    throughputMiBps: null,
  });
  const { cheapest } = compareVolumes(demand, options);
  expect(cheapest?.type).toBe("gp3");
  expect(cheapest?.monthlyUsd).toBeCloseTo(0.08);
});

test("the smallest gp2 serves 3,000 IOPS for 20 minutes from its credits, and is marked accordingly", () => {
  const row = findRow(constant(1_200, 3_000), "gp2");
  expect(row).toMatchObject({ serves: true, livesOnCredits: true });
  expect(row.volume?.sizeGiB).toBe(1);
});

test("in 2018 the cheapest volume for 3,000 IOPS was gp2, at half the cost of io1", () => {
  const { cheapest, rows } = compareVolumes(constant(30 * 86_400, 3_000), {
    ...options,
    at: { month: "2018-06", ignoresFloor: true },
    sizeGiBMin: 64,
  });
  expect(cheapest?.type).toBe("gp2");
  const io1 = rows.find(({ type }) => type === "io1");
  expect((cheapest?.monthlyUsd ?? 0) / (io1?.monthlyUsd ?? 1)).toBeCloseTo(0.49, 2);
  expect(rows.find(({ type }) => type === "gp3")?.whyNot).toBe("Not known in 2018-06");
});

test.each<[EbsType, Demand, string]>([
  ["gp2", constant(60, 20_000), "At most 16,000 IOPS; the demand needs 20,000"],
  ["io1", constant(60, 8_000, 256), "At most 1,000 MiB/s; the demand needs 2,000"],
  [
    "st1",
    constant(60, 1_000),
    "At most 500 MiB/s; the demand needs 1,000, because each I/O counts as at least 1 MiB",
  ],
  ["sc1", { ...constant(1e7, 240, 1_024) }, "Its credits run out, and 192 MiB/s remain"],
])("%s is listed with the reason that it does not suffice", (type, demand, whyNot) => {
  expect(findRow(demand, type)).toMatchObject({ serves: false, monthlyUsd: null, whyNot });
});

test("a proposed volume serves the demand, and one GiB less does not", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 17_000 }),
      fc.integer({ min: 60, max: 100_000 }),
      fc.constantFrom(4, 64, 256),
      (iops, seconds, kib) => {
        const demand = constant(seconds, iops, kib);
        for (const { type, volume, serves, limits } of compareVolumes(demand, options).rows) {
          if (!serves || volume === null) continue;
          const { rates } = checkVolume(volume, today);
          if (rates === null) throw new Error(`${type} cannot be had`);
          expect(serveDemand(rates, demand, { whenThrottled: "queue" }).throttledSeconds).toBe(0);
          if (limits?.model === "provisioned" || volume.sizeGiB === limits?.sizeGiBMin) continue;
          const smaller = checkVolume({ ...volume, sizeGiB: volume.sizeGiB - 1 }, today).rates;
          if (smaller === null) throw new Error(`${type} cannot be had smaller`);
          const less = serveDemand(smaller, demand, { whenThrottled: "queue" });
          expect(less.throttledSeconds).toBeGreaterThan(0);
        }
      },
    ),
    { numRuns: 60 },
  );
});
