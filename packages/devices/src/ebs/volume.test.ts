import { expect, test } from "vitest";
import {
  checkVolume,
  type EbsVolume,
  ebsLimits,
  ebsTypes,
  monthlyUsd,
  pricesAt,
  usEastPrices,
} from "./index.ts";

const today = { month: "2026-11", ignoresFloor: false };
const volume = (part: Partial<EbsVolume>): EbsVolume => ({
  type: "gp2",
  sizeGiB: 100,
  iops: null,
  throughputMiBps: null,
  ...part,
});

test.each<{ given: Partial<EbsVolume>; field: string; message: string }>([
  { given: { sizeGiB: 0 }, field: "sizeGiB", message: "A gp2 volume has 1 to 16,384 GiB, a whole number." },
  {
    given: { sizeGiB: 1e30 },
    field: "sizeGiB",
    message: "A gp2 volume has 1 to 16,384 GiB, a whole number.",
  },
  { given: { sizeGiB: 1.5 }, field: "sizeGiB", message: "A gp2 volume has 1 to 16,384 GiB, a whole number." },
  {
    given: { type: "st1", sizeGiB: 100 },
    field: "sizeGiB",
    message: "An st1 volume has 125 to 16,384 GiB, a whole number.",
  },
  {
    given: { type: "io1", sizeGiB: 64, iops: 4000 },
    field: "iops",
    message: "io1 has at most 50 IOPS per GiB: 64 GiB may have 3,200, and 4,000 need 80 GiB.",
  },
  {
    given: { type: "io2", sizeGiB: 10, iops: 65_000 },
    field: "iops",
    message: "An io2 volume has 100 to 64,000 provisioned IOPS, a whole number.",
  },
  {
    given: { type: "io2-block-express", sizeGiB: 4, iops: 5000 },
    field: "iops",
    message: "io2 Block Express has at most 1,000 IOPS per GiB: 4 GiB may have 4,000, and 5,000 need 5 GiB.",
  },
  {
    given: { type: "gp3", iops: 3000, throughputMiBps: 1000 },
    field: "throughputMiBps",
    message: "gp3 has at most 0.25 MiB/s per provisioned IOPS: 1,000 MiB/s need 4,000 IOPS.",
  },
  {
    given: { type: "gp3", iops: 3000, throughputMiBps: null },
    field: "throughputMiBps",
    message: "A gp3 volume has 125 to 2,000 MiB/s.",
  },
  {
    given: { type: "gp2", iops: 3000 },
    field: "iops",
    message: "The gp2 type does not accept this: its IOPS follow from its size. Leave it out.",
  },
])("$given is refused beside $field: $message", ({ given, field, message }) => {
  expect(checkVolume(volume(given), today).problems).toContainEqual({ field, message });
});

test("a type is refused in a month before it existed", () => {
  const asked = { month: "2018-06", ignoresFloor: false };
  expect(checkVolume(volume({ type: "gp3", iops: 3000, throughputMiBps: 125 }), asked).problems).toEqual([
    {
      field: "type",
      message: "The limits of gp3 are known from 2020-12 on; choose that month or later, or another type.",
    },
  ]);
});

test("limits are those of the requested month", () => {
  const throughput = (month: string) =>
    checkVolume(volume({ sizeGiB: 4000 }), { month, ignoresFloor: false }).rates?.throughputMiBpsMax;
  expect(throughput("2018-06")).toBe(160);
  expect(throughput("2018-12")).toBe(250);
});

test("periods of limits and prices are in chronological order, and each names its source", () => {
  for (const type of ebsTypes) {
    for (const periods of [ebsLimits[type], usEastPrices.prices[type]]) {
      const months = periods.map(({ validFrom }) => validFrom);
      expect(months).toEqual(months.toSorted());
      expect(periods.length).toBeGreaterThan(0);
      for (const { validFrom, source } of periods) {
        expect(validFrom).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
        expect(source).not.toBe("");
      }
    }
  }
});

test("a 1 TB gp2 costs half of a 64 GB io1 with 3,000 IOPS", () => {
  const at = { month: "2018-06", ignoresFloor: true };
  const cost = (each: EbsVolume) => {
    const price = pricesAt(usEastPrices, each.type, at);
    return price === null ? Number.NaN : monthlyUsd(each, price);
  };
  const gp2 = cost(volume({ sizeGiB: 1000 }));
  const io1 = cost(volume({ type: "io1", sizeGiB: 64, iops: 3000 }));
  expect(gp2).toBeCloseTo(100);
  expect(io1).toBeCloseTo(203);
  expect(gp2 / io1).toBeCloseTo(0.49, 2);
});

test("included amounts cost nothing extra, and each tier has its own price", () => {
  const [gp3] = usEastPrices.prices.gp3;
  const io2 = pricesAt(usEastPrices, "io2", today);
  if (gp3 === undefined || io2 === null) throw new Error("No price.");
  expect(monthlyUsd(volume({ type: "gp3", iops: 3000, throughputMiBps: 125 }), gp3)).toBeCloseTo(8);
  expect(monthlyUsd(volume({ type: "gp3", iops: 4000, throughputMiBps: 225 }), gp3)).toBeCloseTo(17);
  expect(monthlyUsd(volume({ type: "io2", iops: 33_000 }), io2)).toBeCloseTo(12.5 + 2080 + 46);
});
