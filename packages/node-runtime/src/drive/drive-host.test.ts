import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Position, ShardStore } from "@stashlight/shard-store";
import { createPod, damageReport, podAddress } from "@stashlight/write-path";
import { afterEach, expect, test, vi } from "vitest";
import type { VaultFile } from "../config/index.ts";
import { monotonicNowMs } from "../host/clock.ts";
import type { Switchboard } from "../host/message-router.ts";
import { DriveMetrics } from "../metrics/drive-metrics.ts";
import { createAgentRecorder } from "../metrics/node-metrics.ts";
import { DriveHost } from "./drive-host.ts";
import type { DriveObservation } from "./drive-host-options.ts";
import { startPod } from "./drive-machine.ts";
import { openDrive } from "./open-drive.ts";
import { failingReads, ignoredAnswers, makeShard, podConfig } from "./testing/pod-drive.ts";

// Uses a folder beside the sources rather than a temporary one, which often has no O_DIRECT.
const scratch = join(dirname(fileURLToPath(import.meta.url)), "../../node_modules/.test");
const VOLUME = { segmentBytes: 1_048_576, segmentCount: 8 };
const DRIVE_ID = "d1".repeat(16);
const file = {
  clusterId: "c1".repeat(16),
  podVolume: VOLUME,
  stashVolume: VOLUME,
  pieceBytes: 65_536,
  smallUploadBytesMax: 65_536,
  scheme: podConfig.scheme,
  stashFullAtShare: 0.75,
} as VaultFile;

let host: DriveHost | null = null;
let folder = "";
afterEach(async () => {
  await host?.stop();
  rmSync(folder, { recursive: true });
});

/** Creates a drive with a few shards; returns where the bytes of one of them are stored. */
async function fillDrive(path: string, marked: number): Promise<{ name: string; offset: number }> {
  const drive = { driveId: DRIVE_ID, path, pod: 0 };
  const { opened, close } = await openDrive({ file, drive, policy: "extents", mayFormat: true });
  const options = { defer: setImmediate, after: () => {}, fullAtShare: 0.75, relievedAtShare: 0.7 };
  const { store } = ShardStore.start({ ...options, opened, answers: ignoredAnswers });
  for (let number = 1; number <= 10; number++) {
    store.append(makeShard(number), "data");
    // Flushes, so that each shard is in its own pages.
    await promisify(store.log.flush.bind(store.log))();
  }
  await close();
  for (const name of readdirSync(path)) {
    const offset = readFileSync(join(path, name)).indexOf(`payload ${marked} `);
    if (offset !== -1) return { name, offset };
  }
  throw new Error("The shard is not on the drive.");
}

type HostOptions = ConstructorParameters<typeof DriveHost>[0];

/** Creates a host for pod 0, whose drive `fillDrive` filled; the test ends it. */
function createHost(
  path: string,
  options: Pick<HostOptions, "observe" | "wrapDisk">,
  pod = createPod<Position>(podConfig, 0),
) {
  host = new DriveHost({
    ...options,
    file,
    drive: { driveId: DRIVE_ID, path, pod: 0 },
    address: podAddress(0),
    stateFolder: join(folder, "state"),
    policy: "extents",
    mayFormat: false,
    isDraining: () => false,
    scrubDiskAt: () => null,
    switchboard: { connect: () => {}, send: () => {} } as unknown as Switchboard,
    boot: async () => ({
      start: (boot) => startPod(pod, { podIndex: 0, driveId: "d0", bootId: 1 }, boot),
      shardsOf: () => [],
      lifecycle: () => pod.lifecycle,
      refusals: () => new Map(),
      damage: () => damageReport(pod, monotonicNowMs()),
    }),
  });
  return host;
}

test("a drive that its node closes to stop is not reported as failed", async () => {
  mkdirSync(scratch, { recursive: true });
  folder = mkdtempSync(join(scratch, "host-"));
  const path = join(folder, "drive");
  await fillDrive(path, 7);
  const recorder = createAgentRecorder("pod");
  const names = { nodeId: "pod-1", tier: "pod", device: "p0", modelled: undefined } as const;
  const metrics = new DriveMetrics({ recorder, ...names, nowMs: monotonicNowMs, wallMs: Date.now });
  const started = createHost(path, { observe: () => {} });
  metrics.watchGauges(started);
  const reported = () =>
    recorder
      .takeWindow()
      .gauges.flatMap(({ metric, value }) => (metric === "stashlight_drive_running" ? [value] : []));
  expect(reported()).toEqual([0]);
  await started.start();
  expect(reported()).toEqual([1]);
  await started.stop();
  expect(reported()).toEqual([]);
});

test("a scrub reports the shards that the device fails to read to the pod, and the place and cause to the log", async () => {
  mkdirSync(scratch, { recursive: true });
  folder = mkdtempSync(join(scratch, "host-"));
  const path = join(folder, "drive");
  const bad = await fillDrive(path, 7);
  const pod = createPod<Position>(podConfig, 0);
  let isFailing = false;
  const observed: DriveObservation[] = [];
  const started = createHost(
    path,
    {
      wrapDisk: (disk) =>
        failingReads(
          disk,
          (name, offset, bytes) =>
            isFailing && name === bad.name && offset <= bad.offset && bad.offset < offset + bytes,
        ),
      observe: (event) => observed.push(event),
    },
    pod,
  );
  await started.start();
  expect(started.damage()).toMatchObject({ unreadableCount: 0, readErrorTotal: 0 });
  isFailing = true;
  started.startScrub(1e9);
  await vi.waitFor(() => expect(started.damage().unreadableCount).toBe(1), { timeout: 50_000 });
  expect([...pod.unreadable.keys()]).toEqual([makeShard(7).upload.uploadId]);
  const cause = expect.stringContaining("EIO");
  const firstReadError = { file: bad.name, offset: expect.any(Number), bytes: expect.any(Number), cause };
  const damaged = expect.objectContaining({ type: "damaged", firstReadError });
  await vi.waitFor(() => expect(observed).toContainEqual(damaged), { timeout: 50_000 });
});
