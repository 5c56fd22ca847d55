import { beforeEach, expect, test } from "vitest";
import { accept, createTestNode, type TestNode, useFreshInstallation } from "../testing/index.ts";
import { judgeDrivePeers } from "./judge-peers.ts";

const { installation, viewer } = useFreshInstallation("viewer");
let node: TestNode;

beforeEach(async () => {
  node = await createTestNode(installation.platform, "pod-1", false, "main");
});

const judged = (device: string) => judgeDrivePeers({ ctx: viewer.ctx, input: { nodeId: node.id, device } });

test("a drive without peers is not judged, and the sentence names the number of peers that a comparison needs", async () => {
  expect(await judged("p0")).toMatchObject({
    state: "unknown",
    sentence:
      "p0 has 0 peers with syncs in a whole ten minutes of the last seven days; a comparison needs 4.",
    sinceMs: null,
    own: [],
    curve: [],
  });
});

const DEVICES = ["s0", "s1", "s2", "s3", "s4", "s5"];
const HOURS = 12;

/** Twelve hours of six drives, of which the first takes three times as long for the same bytes. */
async function reportHalfADay(): Promise<void> {
  const { platform, clock } = installation;
  for (let window = 0; window < 6 * HOURS; window += 1) {
    clock.advance(600_000);
    const load = 1 + (window % 7) / 7;
    const labelled = DEVICES.map((device) => ({ tier: "stash", device }));
    await accept(
      platform,
      node.batch({
        endMs: clock.now().getTime() - 60_000,
        histograms: labelled.map((labels) => {
          const seconds = 0.002 * load * (labels.device === "s0" ? 3 : 1);
          return ["stashlight_fsync_seconds", labels, new Array<number>(30).fill(seconds)] as const;
        }),
        counters: labelled.map(
          (labels) => ["stashlight_shard_written_bytes_total", labels, Math.round(1e8 * load)] as const,
        ),
        gauges: labelled.map(
          (labels) =>
            [
              "stashlight_device_info",
              { ...labels, model: "X", serial: labels.device, firmware: "Y" },
              1,
            ] as const,
        ),
      }),
    );
  }
}

/** A vault of 4+1 with six stash devices, the last of which is drained. */
async function reportScheme(): Promise<void> {
  const endMs = installation.clock.now().getTime();
  const devices = DEVICES.map(
    (device) => ["stashlight_stash_capacity_bytes", { stash: "x", device }, 1e12] as const,
  );
  await accept(
    installation.platform,
    node.batch({
      endMs,
      gauges: [
        ["stashlight_vault_data_shards", {}, 4],
        ["stashlight_vault_parity_shards", {}, 1],
        ["stashlight_vault_rebuild_limit_bytes", {}, 32e6],
        ["stashlight_stash_draining_shards", { stash: "x", device: "s5" }, 3],
        ...devices,
      ],
    }),
  );
}

test("a drive that takes three times as long as its peers at the same load is slow, and they are not", async () => {
  await reportHalfADay();
  expect((await judged("s0")).quarantine).toBeNull();
  await reportScheme();
  const slow = await judged("s0");
  expect(slow).toMatchObject({ state: "slow", peerCount: 5, windowSeconds: 600 });
  expect(slow.sentence).toMatch(
    /^s0 takes 3\.\d times \(\d\.\d to \d\.\d\) as long to sync as 5 peers at the same load, in 1\d of the last 48 hours\. Replace it,/,
  );
  expect(slow.quarantine).toMatch(/^Of the stash devices 4 take new shards instead of 5, .* it has 4 shards/);
  expect(slow.sinceMs).toBeGreaterThan(installation.clock.now().getTime() - (HOURS + 2) * 3_600_000);
  expect(slow.own.length).toBeGreaterThan(60);
  expect(slow.peers.length).toBeGreaterThan(300);
  expect(slow.curve.every(({ latencySeconds, limitSeconds }) => limitSeconds > latencySeconds)).toBe(true);
  const least = Math.min(...[...slow.own, ...slow.peers].map(({ bytesPerSecond }) => bytesPerSecond));
  expect(slow.curve[0]?.bytesPerSecond).toBeCloseTo(least, 3);
  expect(await judged("s1")).toMatchObject({
    state: "as peers",
    quarantine: null,
    sentence: "s1 takes 1.0 times as long to sync as 5 peers at the same load: nothing to do.",
  });
});
