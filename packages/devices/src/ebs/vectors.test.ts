import { expect, test } from "vitest";
import vectors from "../../fixtures/ebs.json" with { type: "json" };
import {
  burstOf,
  checkVolume,
  type EbsMoment,
  type EbsVolume,
  serveDemand,
  type VolumeRates,
} from "./index.ts";

const today: EbsMoment = { month: "2026-11", ignoresFloor: false };

function ratesOf(volume: Partial<EbsVolume> & Pick<EbsVolume, "type">, at = today): VolumeRates {
  const { rates, problems } = checkVolume({ sizeGiB: 100, iops: null, throughputMiBps: null, ...volume }, at);
  if (rates === null) throw new Error(JSON.stringify(problems));
  return rates;
}

const roundTo = (digits: number) => (value: number | null) =>
  value === null ? null : Number(value.toFixed(digits));
const seconds = roundTo(1);
const mibps = roundTo(3);

type Case = (typeof vectors.cases)[number];
const isOf = (type: string) => (each: Case) => each.type === type;

test("the vectors cover 19 volumes", () => {
  expect(vectors.cases).toHaveLength(19);
});

test.each(vectors.cases.filter(isOf("gp2")))("gp2 of $sizeGiB GiB has the published limits", (vector) => {
  const rates = ratesOf({ type: "gp2", sizeGiB: vector.sizeGiB ?? 0 });
  const { burstSeconds, refillSeconds, emptyMiBps } = burstOf(rates);
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

test.each(vectors.cases.filter((each) => isOf("st1")(each) || isOf("sc1")(each)))(
  "$type of $sizeTiB TiB has the published throughput, and the inferred bucket its refill time",
  (vector) => {
    const sizeTiB = vector.sizeTiB ?? 0;
    const rates = ratesOf({ type: vector.type as "st1", sizeGiB: sizeTiB * 1024 });
    const { burstSeconds, refillSeconds } = burstOf(rates);
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

test.each(vectors.cases.filter(isOf("io1")))("io1 of $provisionedIops IOPS has $maxMiBps MiB/s", (vector) => {
  const iops = vector.provisionedIops ?? 0;
  const rates = ratesOf({ type: "io1", sizeGiB: Math.ceil(iops / 50), iops });
  expect(mibps(rates.throughputMiBpsMax)).toBe(vector.maxMiBps);
});

test.each(vectors.cases.filter((each) => isOf("gp2")(each) && each.burstSeconds !== null))(
  "the simulation of gp2 of $sizeGiB GiB at its peak empties the bucket in the published time",
  ({ sizeGiB = 0, peakIops = 0, baselineIops = 0, burstSeconds }) => {
    const demand = {
      steps: [{ seconds: 2 * (burstSeconds ?? 0), iops: peakIops, kib: 4, readShare: 0.8 }],
      pattern: "random" as const,
    };
    const served = serveDemand(ratesOf({ type: "gp2", sizeGiB }), demand, { whenThrottled: "drop" });
    expect(seconds(served.emptyAtSeconds)).toBe(burstSeconds);
    expect(served.pieces.at(-1)?.servedIops).toBe(baselineIops);
    expect(seconds(served.throttledSeconds)).toBe(burstSeconds);
  },
);

test("the articles calculate an 8 GB gp2 without the floor: 24 IOPS when its credits are gone", () => {
  const asPrinted = ratesOf({ type: "gp2", sizeGiB: 8 }, { month: "2018-06", ignoresFloor: true });
  expect(asPrinted.baseCreditsPerSecond).toBe(24);
  expect(asPrinted.bucketCredits).toBe(5_400_000);
  expect(asPrinted.peakCreditsPerSecond).toBe(3000);
  expect(ratesOf({ type: "gp2", sizeGiB: 8 }).baseCreditsPerSecond).toBe(100);
});
