import { expect, test } from "vitest";
import { StatsError } from "../error.ts";
import { findCap } from "./cap.ts";

const KIB = 1_024;
const sizes = [4, 16, 64, 256, 1_024, 4_096].map((kib) => kib * KIB);
const behind = (iops: number, bytesPerSecond: number) =>
  sizes.map((blockBytes, i) => ({
    blockBytes,
    iops: Math.min(iops, bytesPerSecond / blockBytes) * (i % 2 === 0 ? 1.04 : 0.97),
  }));

test("IOPS that stay level while blocks grow indicate a cap in IOPS", () => {
  const cap = findCap(behind(500, 1e12));
  expect(cap.kind).toBe("iops");
  expect(cap.kind === "iops" && Math.abs(cap.iops / 500 - 1)).toBeLessThan(0.05);
});

test("throughput that stays level indicates a cap in bytes", () => {
  const cap = findCap(behind(1e9, 125e6));
  expect(cap.kind).toBe("bytes");
  expect(cap.kind === "bytes" && Math.abs(cap.bytesPerSecond / 125e6 - 1)).toBeLessThan(0.05);
});

test("both caps of a gp3 volume are found, and the block size at which they meet", () => {
  const cap = findCap(behind(3_000, 125 * KIB * KIB));
  expect(cap.kind).toBe("both");
  if (cap.kind !== "both") return;
  expect(Math.abs(cap.iops / 3_000 - 1)).toBeLessThan(0.05);
  expect(Math.abs(cap.bytesPerSecond / (125 * KIB * KIB) - 1)).toBeLessThan(0.05);
  expect(Math.abs(cap.kneeBlockBytes / ((125 * KIB * KIB) / 3_000) - 1)).toBeLessThan(0.1);
});

test("rates without a pattern have no cap", () => {
  const iops = [100_000, 40_000, 70_000, 3_000, 9_000, 100];
  expect(findCap(sizes.map((blockBytes, i) => ({ blockBytes, iops: iops[i] as number })))).toEqual({
    kind: "none",
  });
});

test.each([
  [[{ blockBytes: 4_096, iops: 1 }], "There are 1 block sizes; at least 3 are needed."],
  [
    [4_096, 8_192, 12_288].map((blockBytes) => ({ blockBytes, iops: 1 })),
    /from 4096 to 12288 bytes are too similar/,
  ],
  [
    [4_096, 8_192, 65_536].map((blockBytes) => ({ blockBytes, iops: 0 })),
    /at 0 I\/Os per second is impossible/,
  ],
])("too few, too similar or zero rates are refused", (rates, message) => {
  expect(() => findCap(rates)).toThrow(StatsError);
  expect(() => findCap(rates)).toThrow(message);
});
