import type { DrivePeers } from "@stashlight/contracts/disk";
import { expect, test } from "vitest";
import { peersFigure } from "./peers-figure.ts";

const point = (megabytes: number, milliseconds: number) => ({
  bytesPerSecond: megabytes * 1e6,
  latencySeconds: milliseconds / 1000,
});
const found: DrivePeers = {
  state: "slow",
  sentence: "",
  sinceMs: 0,
  peerCount: 5,
  windowSeconds: 600,
  quarantine: null,
  own: [point(5, 40), point(20, 90)],
  peers: [point(4, 10)],
  curve: [
    { ...point(0, 8), limitSeconds: 0.012 },
    { ...point(10, 12), limitSeconds: 0.018 },
  ],
};

test("the chart shows the drive and its peers with fit and limit, over the load that the fit covers", () => {
  const figure = peersFigure("p7", found);
  expect(figure.marks.map(({ id, kind, tone }) => [id, kind, tone])).toEqual([
    ["peers", "points", "pod"],
    ["p7", "points", "bad"],
    ["peers’ fit", "line", "pod"],
    ["limit", "line", "warning"],
  ]);
  expect(figure.marks[1]).toMatchObject({ points: [[0.5, expect.any(Number)]] });
  expect(figure.xTicks.map(({ label }) => label)).toEqual(["0", "2", "4", "6", "8", "10"]);
});

test("the chart is empty without a fit", () => {
  expect(peersFigure("p7", { ...found, curve: [], state: "unknown" }).isEmpty).toBe(true);
});
