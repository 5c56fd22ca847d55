import {
  compareVolumes,
  type Demand,
  type EbsMoment,
  type EbsVolume,
  usEastPrices,
} from "@stashlight/devices/ebs";
import { expect, test } from "vitest";
import {
  answerVolume,
  formatBurst,
  formatCheapest,
  formatShare,
  formatTime,
  formatUsd,
} from "./volume-answer.ts";
import { creditsFigure, servedFigure } from "./volume-figures.ts";
import { limitsMoment } from "./volume-form.ts";

const at = limitsMoment({ limits: "newest" });
const demand: Demand = {
  steps: [{ seconds: 7_200, iops: 3_000, kib: 4, readShare: 0.8 }],
  pattern: "random",
};

const answer = (volume: EbsVolume, moment: EbsMoment) =>
  answerVolume(volume, demand, moment, { whenThrottled: "queue" });

test("an 8 GiB gp2 bursts for half an hour, then does 24 IOPS without its floor of 2018 and 100 with it", () => {
  const small: EbsVolume = { type: "gp2", sizeGiB: 8, iops: null, throughputMiBps: null };
  const withoutFloor = answer(small, limitsMoment({ limits: "articles" }));
  expect(withoutFloor && formatBurst(withoutFloor)).toBe("30 min 15 s at 3,000 IOPS, then 24 IOPS");
  const newest = answer(small, at);
  expect(newest && formatBurst(newest)).toBe("31 min 2 s at 3,000 IOPS, then 100 IOPS");
});

test("a 1 TB gp2 costs half as much as an io1 with 3,000 IOPS, and neither is throttled", () => {
  const moment = limitsMoment({ limits: "articles" });
  const gp2 = answer({ type: "gp2", sizeGiB: 1_000, iops: null, throughputMiBps: null }, moment);
  const io1 = answer({ type: "io1", sizeGiB: 64, iops: 3_000, throughputMiBps: null }, moment);
  expect(formatUsd(gp2?.monthlyUsd ?? 0)).toBe("$100.00");
  expect(formatUsd(io1?.monthlyUsd ?? 0)).toBe("$203.00");
  expect(gp2?.served.throttledSeconds).toBe(0);
  expect(io1?.served.throttledSeconds).toBe(0);
});

test("a sentence names the cheapest volume, with the remaining credits of one that uses them", () => {
  const options = { at, prices: usEastPrices, sizeGiBMin: 8 };
  expect(formatCheapest(compareVolumes(demand, options))).toBe(
    "gp3, 8 GiB, 3,000 IOPS, 125 MiB/s does all of this at once for $0.64 per month, the cheapest of 5 types that suffice.",
  );
  const short: Demand = { ...demand, steps: [{ seconds: 1_200, iops: 300, kib: 4, readShare: 0.8 }] };
  expect(
    formatCheapest(compareVolumes(short, { ...options, at: limitsMoment({ limits: "2018-06" }) })),
  ).toMatch(
    /^gp2, 8 GiB does all of this at once for \$0\.80 per month, the cheapest of 3 types that suffice\. It depends on credits, with 95\.6 % left at the end\./,
  );
  const much: Demand = { ...demand, steps: [{ seconds: 60, iops: 500_000, kib: 4, readShare: 0 }] };
  expect(formatCheapest(compareVolumes(much, options))).toBe(
    "No single volume does all of this at once; the table shows why.",
  );
});

test.each([
  [0, "0 s"],
  [0.4213, "0.421 s"],
  [59.96, "1 min"],
  [1_814.5, "30 min 15 s"],
  [3_599.9, "1 h"],
  [90_000, "1 d 1 h"],
])("a time of %s seconds is formatted as %s", (seconds, told) => {
  expect(formatTime(seconds)).toBe(told);
});

test("a share is never rounded to all or to nothing", () => {
  expect([0, 0.0001, 0.5, 0.9999, 1].map(formatShare)).toEqual([
    "0 %",
    "< 0.1 %",
    "50 %",
    "> 99.9 %",
    "100 %",
  ]);
});

test("the charts show the demand above the served load, and credits only for volumes that have them", () => {
  const small = answerVolume({ type: "gp2", sizeGiB: 8, iops: null, throughputMiBps: null }, demand, at, {
    whenThrottled: "drop",
  });
  const fixed = answerVolume({ type: "io1", sizeGiB: 64, iops: 3_000, throughputMiBps: null }, demand, at, {
    whenThrottled: "drop",
  });
  if (small === null || fixed === null) throw new Error("No answer.");
  expect(servedFigure(small).marks.map(({ id, tone }) => [id, tone])).toEqual([
    ["demand", "unknown"],
    ["served", "stash"],
  ]);
  expect(servedFigure(small).rows).toHaveLength(2);
  expect(creditsFigure(small).isEmpty).toBe(false);
  expect(creditsFigure(fixed).isEmpty).toBe(true);
});
