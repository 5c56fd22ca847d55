import { expect, test } from "vitest";
import vectors from "../../fixtures/ebs.json" with { type: "json" };
import {
  burstFigures,
  checkVolume,
  type EbsMoment,
  type EbsVolume,
  serveDemand,
  type VolumeRates,
} from "./index.ts";

const today: EbsMoment = { month: "2026-11", ignoresFloor: false };

function checkedRates(volume: Partial<EbsVolume> & Pick<EbsVolume, "type">, at = today): VolumeRates {
  const { rates, problems } = checkVolume({ sizeGiB: 100, iops: null, throughputMiBps: null, ...volume }, at);
  if (rates === null) throw new Error(JSON.stringify(problems));
  return rates;
}

const roundTo = (digits: number) => (value: number | null) =>
  value === null ? null : Number(value.toFixed(digits));
const seconds = roundTo(1);
const mibps = roundTo(3);

type Case = (typeof vectors.cases)[number];
const isOfType = (type: string) => (each: Case) => each.type === type;

test("the published vectors cover 19 volumes", () => {
  expect(vectors.cases).toHaveLength(19);
});

test.each(vectors.cases.filter(isOfType("gp2")))("gp2 of $sizeGiB GiB has the published limits", (vector) => {
  const rates = checkedRates({ type: "gp2", sizeGiB: vector.sizeGiB ?? 0 });
  const { burstSeconds, refillSeconds, emptyMiBps } = burstFigures(rates);
  expect({
    baselineIops: rates.baseCreditsPerSecond,
    peakIops: rates.peakCreditsPerSecond,
    burstSeconds: seconds(burstSeconds),
    refillSeconds: seconds(refillSeconds),
    peakMiBps: rates.throughputMiBpsMax,
    emptyMiBps: mibps(emptyMiBps),
  }).toEqual({
    baselineIops: vector.baselineIops,
    peakIops: vector.peakIops,
    burstSeconds: vector.burstSeconds,
    refillSeconds: vector.refillSeconds,
    peakMiBps: vector.peakMiBps,
    emptyMiBps: vector.emptyMiBps,
  });
});

test.each(vectors.cases.filter((each) => isOfType("st1")(each) || isOfType("sc1")(each)))(
  "$type of $sizeTiB TiB has the published throughput, and the inferred bucket has its refill time",
  (vector) => {
    const sizeTiB = vector.sizeTiB ?? 0;
    const rates = checkedRates({ type: vector.type as "st1", sizeGiB: sizeTiB * 1024 });
    const { burstSeconds, refillSeconds } = burstFigures(rates);
    const volumeMiB = sizeTiB * 1024 * 1024;
    expect({
      baselineMiBps: mibps(rates.baseCreditsPerSecond),
      burstMiBps: mibps(rates.peakCreditsPerSecond),
      scanSeconds: seconds(volumeMiB / rates.peakCreditsPerSecond),
      burstSeconds: seconds(burstSeconds),
      refillSeconds: seconds(refillSeconds),
    }).toEqual({
      baselineMiBps: vector.baselineMiBps,
      burstMiBps: vector.burstMiBps,
      scanSeconds: vector.scanSeconds,
      burstSeconds: vector.burstSeconds,
      refillSeconds: vector.refillSeconds,
    });
    expect(rates.isBucketInferred).toBe(vector.burstSeconds !== null);
  },
);

test.each(vectors.cases.filter(isOfType("io1")))(
  "io1 of $provisionedIops IOPS has $maxMiBps MiB/s",
  (vector) => {
    const iops = vector.provisionedIops ?? 0;
    const rates = checkedRates({ type: "io1", sizeGiB: Math.ceil(iops / 50), iops });
    expect(mibps(rates.throughputMiBpsMax)).toBe(vector.maxMiBps);
  },
);

test.each(vectors.cases.filter((each) => isOfType("gp2")(each) && each.burstSeconds !== null))(
  "the simulated gp2 of $sizeGiB GiB empties its bucket in the published time at its peak",
  ({ sizeGiB = 0, peakIops = 0, baselineIops = 0, burstSeconds }) => {
    const demand = {
      steps: [{ seconds: 2 * (burstSeconds ?? 0), iops: peakIops, kib: 4, readShare: 0.8 }],
      pattern: "random" as const,
    };
    const served = serveDemand(checkedRates({ type: "gp2", sizeGiB }), demand, { whenThrottled: "drop" });
    expect(seconds(served.emptyAtSeconds)).toBe(burstSeconds);
    expect(served.pieces.at(-1)?.servedIops).toBe(baselineIops);
    expect(seconds(served.throttledSeconds)).toBe(burstSeconds);
  },
);

test("an 8 GB gp2 without the floor has the articles' 24 IOPS when its credits are gone", () => {
  const asPrinted = checkedRates({ type: "gp2", sizeGiB: 8 }, { month: "2018-06", ignoresFloor: true });
  expect(asPrinted.baseCreditsPerSecond).toBe(24);
  expect(asPrinted.bucketCredits).toBe(5_400_000);
  expect(asPrinted.peakCreditsPerSecond).toBe(3000);
  expect(checkedRates({ type: "gp2", sizeGiB: 8 }).baseCreditsPerSecond).toBe(100);
});
