import type { LiveVault } from "@stashlight/contracts/planner";
import { expect, test } from "vitest";
import { saidOfLive } from "./live-note.ts";

const nothing: LiveVault = {
  fromMs: 0,
  toMs: 1,
  uploadsPerSecond: null,
  uploadBytesMean: null,
  uploads: null,
  stashSync: null,
  podSync: null,
  processor: null,
  messages: null,
  stashMessages: null,
  alike: null,
  overlappingShare: null,
  purgeLagSeconds: null,
  stashServers: null,
  stashDevices: null,
  stashBytesPerDrive: null,
};

test("each figure has its samples, and unmeasured ones are marked", () => {
  const lines = saidOfLive({
    ...nothing,
    processor: {
      sampleCount: 7200,
      quantiles: [
        [0, 1000],
        [0.5, 2440],
        [1, 9000],
      ],
    },
    alike: { pods: 0.9, stash: 0.95, sets: 0.7 },
  });
  expect(lines).toContain("An upload apart from its wait for quorums: median 2.4 ms, n 7,200.");
  expect(lines).toContain("A sync of the stash: not measured.");
  expect(lines).toContain(
    "Correlation of delays, from 0 to 1: shards on pods 0.9, shards on the stash 0.95, the two 0.7.",
  );
});

test("uploads state the share that overlapped with others", () => {
  const uploads = {
    fromMs: 0,
    toMs: 1,
    sampleCount: 1500,
    modelled: [],
    p50Ms: 10,
    p99Ms: 40,
    p50Interval: null,
    p99Interval: null,
  };
  expect(saidOfLive({ ...nothing, uploads, overlappingShare: 0.168 })[0]).toBe(
    "Uploads through the stash: n 1,500, 16.8 % of them overlapped with another.",
  );
});
