import { expect, test } from "vitest";
import { driveCatalogue, findDrive, hddAgainstSsd } from "./index.ts";
import published from "./published-figures.json" with { type: "json" };

const hdd = findDrive("seagate-exos-x16-16tb");
const ssd = findDrive("micron-7450-max-3.2tb");

test("a 64 kB shard takes the times in the article, whose 167 comes from rounding up the disk's time", () => {
  const { shardWrite64kB } = published;
  const { write, printed } = hddAgainstSsd(64_000, hdd, ssd);
  expect(write.hdd * 1e3).toBeCloseTo(shardWrite64kB.hddSeekMs + shardWrite64kB.hddTransferMs, 1);
  expect(write.ssd * 1e3).toBeCloseTo(shardWrite64kB.ssdMs, 3);
  expect(write.ratio).toBeCloseTo(164.2, 1);
  expect(printed).toEqual({
    hddSeconds: shardWrite64kB.hddMs / 1e3,
    ssdSeconds: shardWrite64kB.ssdMs / 1e3,
    ratio: shardWrite64kB.speedRatio,
  });
  expect(Math.round((printed?.hddSeconds ?? 0) / (printed?.ssdSeconds ?? 1))).toBe(167);
});

test("the article's figures are shown for its drives and shard size only", () => {
  expect(hddAgainstSsd(64_001, hdd, ssd).printed).toBeNull();
  expect(hddAgainstSsd(64_000, { ...hdd }, ssd).printed).toBeNull();
});

test.each(published.driveDatasheets)(
  "the price per terabyte of the $model matches the published one",
  (sheet) => {
    const { figures } = hddAgainstSsd(64_000, hdd, ssd);
    const perTb = figures.find(({ id }) => id === "price-per-tb");
    expect(sheet.kind === "hdd" ? perTb?.hdd : perTb?.ssd).toBe(sheet.pricePerTbUsd);
  },
);

test("a ratio is the factor by which the SSD is better, below one if the disk is better", () => {
  const { figures } = hddAgainstSsd(64_000, hdd, ssd);
  const figureRatio = (id: string) => figures.find((figure) => figure.id === id)?.ratio;
  expect(figureRatio("capacity")).toBeCloseTo(0.2);
  expect(figureRatio("price-per-tb")).toBeCloseTo(16.25 / 112.5);
  expect(figureRatio("latency")).toBeCloseTo(280);
  expect(figureRatio("write-iops")).toBeCloseTo(390_000 / 170);
});

test("every drive in the catalogue has a published price and the failure rate of its kind", () => {
  for (const drive of driveCatalogue) {
    expect(drive.priceUsd.basis).toBe("published");
    expect(drive.annualFailureRate.value).toBe(drive.kind === "hdd" ? 0.0155 : 0.0044);
  }
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("a write of %s bytes is refused", (bytes) => {
  expect(() => hddAgainstSsd(bytes, hdd, ssd)).toThrow("more than zero bytes");
});
