import { expect, test } from "vitest";
import { findFirmwareCluster } from "./firmware-clusters.ts";
import { judgePeers } from "./judge-peers.ts";
import type { DriveWindow, PeerDrive } from "./peer-fit.ts";

const WINDOW_SECONDS = 1800;
const DAY = 86_400 / WINDOW_SECONDS;
const WINDOWS = 7 * DAY;

/** A drive whose load moves over the day; its latency rises with the load, and drives differ a little. */
function drive(
  place: number,
  change: (window: DriveWindow, at: number) => DriveWindow | null = (w) => w,
): PeerDrive {
  const windows = Array.from({ length: WINDOWS }, (_, at) => {
    const load = 0.4 + 0.3 * Math.sin((2 * Math.PI * at) / DAY) + 0.01 * ((at * 7 + place * 3) % 5);
    const latencySeconds = 0.01 * (1 + load / (1 - load)) * (1 + 0.02 * ((at * 5 + place * 11) % 7));
    return change({ latencySeconds, bytesPerSecond: 1e8 * load, queue: 10 * load }, at);
  });
  return { id: `p${place}`, windows };
}
const slowed = (factor: number, isSlow: (at: number) => boolean) => (window: DriveWindow, at: number) =>
  isSlow(at)
    ? { ...window, latencySeconds: factor * window.latencySeconds, queue: factor * window.queue }
    : window;
const group = (count: number, special: PeerDrive) => [
  ...Array.from({ length: count }, (_, place) => drive(place + 1)),
  special,
];
const judged = (drives: readonly PeerDrive[]) =>
  judgePeers(drives, { windowSeconds: WINDOW_SECONDS }).drives.at(-1);
const lastHours = (hours: number) => (at: number) => at >= WINDOWS - (hours * 3600) / WINDOW_SECONDS;

test.each([
  ["healthy", slowed(1, () => true), "as peers"],
  ["slow for two hours", slowed(3, lastHours(2)), "as peers"],
  ["slow for four hours", slowed(3, lastHours(4)), "watch"],
  ["slow for ten hours", slowed(3, lastHours(10)), "slow"],
  ["slow all week", slowed(2, () => true), "slow"],
  ["slow every other hour", slowed(3, (at) => Math.floor(at / 2) % 2 === 0), "slow"],
  ["slow until three days ago", slowed(5, (at) => at < WINDOWS - 3 * DAY), "as peers"],
  ["a tenth slower than its peers", slowed(1.1, () => true), "as peers"],
  ["silent", () => null, "unknown"],
  [
    "silent for two days",
    (window: DriveWindow, at: number) => (lastHours(48)(at) ? null : window),
    "unknown",
  ],
] as const)("the verdict on a drive that is %s is right", (_, change, state) => {
  expect(judged(group(7, drive(0, change)))?.state).toBe(state);
});

test("a slow drive has its ratio to the peers at the same load, and its first slow window", () => {
  const found = judged(group(11, drive(0, slowed(2.5, lastHours(30)))));
  expect(found).toMatchObject({ state: "slow", slowHours: 30, sinceWindow: WINDOWS - 60 });
  expect(found?.slowdown).toBeGreaterThan(2.2);
  expect(found?.slowdown).toBeLessThan(2.8);
});

test("a drive that is slower only because of its higher load gets the same verdict as its peers", () => {
  const busy = drive(0, (window) => ({
    ...window,
    bytesPerSecond: window.bytesPerSecond * 1.2,
    latencySeconds: 0.01 * (1 + (1.2 * window.bytesPerSecond) / (1e8 - 1.2 * window.bytesPerSecond)),
  }));
  expect(judged(group(11, busy))?.state).toBe("as peers");
});

test("drives that are all slow at once, as on a stalled machine, get the same verdict as their peers", () => {
  const stalled = Array.from({ length: 8 }, (_, place) => drive(place, slowed(4, lastHours(12))));
  for (const { state } of judgePeers(stalled, { windowSeconds: WINDOW_SECONDS }).drives)
    expect(state).toBe("as peers");
});

test.each([0, 1, 4])("a slow drive has a verdict if it has at least four peers: %d peers", (count) => {
  const { drives, fit } = judgePeers(
    group(
      count,
      drive(
        0,
        slowed(9, () => true),
      ),
    ),
    { windowSeconds: WINDOW_SECONDS },
  );
  expect(drives.at(-1)?.state).toBe(count < 4 ? "unknown" : "slow");
  expect(fit === null).toBe(count < 4);
});

test.each([
  ["a load that never changes", { latencySeconds: 0.01, bytesPerSecond: 5e7, queue: 0 }],
  ["no load", { latencySeconds: 0.01, bytesPerSecond: 0, queue: 0 }],
  ["a latency of zero", { latencySeconds: 0, bytesPerSecond: 5e7, queue: 3 }],
])("finite figures result from %s", (_, window) => {
  const { drives, limitRatio } = judgePeers(
    group(6, drive(0)).map((each) => ({ ...each, windows: each.windows.map(() => window) })),
    { windowSeconds: WINDOW_SECONDS },
  );
  expect(Number.isFinite(limitRatio)).toBe(true);
  for (const { state, slowdown } of drives)
    expect([state, Number.isFinite(slowdown)]).toEqual(["as peers", true]);
});

test("slow drives of one model and firmware form a cluster, unless others are slow too", () => {
  const kinds = Array.from({ length: 12 }, (_, at) => ({
    id: `p${at}`,
    model: "X",
    firmware: at < 7 ? "Y" : "Z",
  }));
  const [first = { id: "", model: null, firmware: null }] = kinds;
  const ofFirst = (count: number) => (id: string) => Number(id.slice(1)) < count;
  expect(findFirmwareCluster(first, kinds, ofFirst(7))).toEqual({
    model: "X",
    firmware: "Y",
    slowCount: 7,
    driveCount: 7,
  });
  expect(findFirmwareCluster(first, kinds, ofFirst(4))).toBeNull();
  expect(findFirmwareCluster(first, kinds, ofFirst(8))).toBeNull();
  expect(findFirmwareCluster({ ...first, firmware: null }, kinds, ofFirst(7))).toBeNull();
});
