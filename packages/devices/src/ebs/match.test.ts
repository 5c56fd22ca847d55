import { expect, test } from "vitest";
import { matchVolume } from "./match.ts";

const gp2 = { credit: "io", burstPerSecond: 2_990, basePerSecond: 301, tokens: 5_350_000 } as const;

test("a gp2 volume of 100 GiB matches 3,000 I/Os per second that become 300 after 5.4 million", () => {
  expect(matchVolume(gp2, "2026-11")).toMatchObject({ type: "gp2", sizeGiB: 100 });
});

test("a bucket in MiB matches one of the HDD types", () => {
  // An sc1 volume of 2 TiB: 24 MiB/s, bursts of 160 MiB/s, and a bucket of its size.
  const sc1 = { credit: "MiB", burstPerSecond: 160, basePerSecond: 24, tokens: 2_097_152 } as const;
  expect(matchVolume(sc1, "2026-11")).toMatchObject({ type: "sc1", sizeGiB: 2_048, deviation: 0 });
});

test("a bucket that no volume has is not matched", () => {
  expect(matchVolume({ ...gp2, tokens: 27_000 }, "2026-11")).toBeNull();
  expect(matchVolume({ ...gp2, burstPerSecond: 8_000 }, "2026-11")).toBeNull();
});
