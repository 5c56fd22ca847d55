import { randomUUID } from "node:crypto";
import type { LiveInputs } from "@stashlight/contracts/planner";
import { HOUR_MS, MINUTE_MS } from "@stashlight/contracts/time";
import { beforeAll, expect, test } from "vitest";
import { accept, createTestNode, useSharedInstallation } from "../testing/index.ts";
import { liveInputs } from "./live-inputs.ts";

const windowMs = 10_000;
const minutes = 20;
/** Bytes that an upload of 256 kB leaves on the stash with 16+4. */
const shardBytes = 16_000;
const uploadsPerWindow = 100;

const { installation } = useSharedInstallation();
let ctx: Parameters<typeof liveInputs>[0]["ctx"];
let endMs: number;

/** 20 minutes of 10 uploads per second, three times as many in one minute, onto two servers with two drives each. */
beforeAll(async () => {
  ctx = (await installation.person("viewer")).ctx;
  endMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  installation.clock.set(new Date(endMs + 1000));
  const { platform } = installation;
  const coordinator = await createTestNode(platform, "c1", false, "east");
  const servers = [
    await createTestNode(platform, "s1", false, "east"),
    await createTestNode(platform, "s2", false, "east"),
  ];
  for (let i = 0; i < (minutes * MINUTE_MS) / windowMs; i += 1) {
    const atMs = endMs - minutes * MINUTE_MS + (i + 1) * windowMs;
    const isBusy = i >= 60 && i < 66;
    const uploads = uploadsPerWindow * (isBusy ? 3 : 1);
    await accept(
      platform,
      coordinator.batch({
        endMs: atMs,
        counters: [
          ["stashlight_uploads_total", { path: "stash", result: "stored" }, uploads],
          ["stashlight_uploads_total", { path: "direct", result: "stored" }, 7],
          ["stashlight_upload_bytes_total", { path: "stash" }, uploads * 256_000],
        ],
        histograms: [
          ["stashlight_upload_seconds", { path: "stash", size_class: "to-256KiB" }, many(uploads, 0.01)],
        ],
      }),
      ...servers.map((server, place) => {
        const devices = [`d${place * 2}`, `d${place * 2 + 1}`];
        const shards = (uploads * 20) / 4;
        return server.batch({
          endMs: atMs,
          histograms: devices.flatMap((device) => [
            [
              "stashlight_fsync_seconds",
              { tier: "stash", device, modelled: "micron-7450" },
              many(10, 0.001 * (place + 1)),
            ] as const,
            ["stashlight_purge_lag_seconds", { stash: server.name, device }, many(20, 30)] as const,
            ["stashlight_commit_batch_records", { stash: server.name, device }, many(10, 8)] as const,
          ]) as never,
          counters: devices.flatMap((device) => [
            ["stashlight_shard_written_bytes_total", { tier: "stash", device }, shards * shardBytes] as const,
            ["stashlight_shards_written_total", { tier: "stash", device }, shards] as const,
            [
              "stashlight_device_written_bytes_total",
              { tier: "stash", device },
              shards * 16_128 * 1.2,
            ] as const,
          ]) as never,
          gauges: devices.flatMap((device) => [
            ["stashlight_stash_capacity_bytes", { stash: server.name, device }, 3e9] as const,
            ...Array.from(
              { length: 20 },
              (_, pod) =>
                [
                  "stashlight_stash_unpurged_shards",
                  { stash: server.name, device, pod: `p${pod}` },
                  1,
                ] as const,
            ),
          ]) as never,
        });
      }),
    );
  }
});

const many = (count: number, value: number): number[] => Array.from({ length: count }, () => value);

const ask = (vault?: string): Promise<LiveInputs> =>
  liveInputs({
    ctx,
    input: { fromMs: endMs - minutes * MINUTE_MS, toMs: endMs, ...(vault === undefined ? {} : { vault }) },
  });

test("the load covers uploads through the stash, its peak is the busiest minute, and both state their share of all uploads", async () => {
  const { vault, uploadsPerSecond, peakFactor, objects } = await ask();
  expect(vault).toBe("east");
  // The first and the last of 20 minutes may be partial.
  const mean = (17 * 10 + 30) / 18;
  expect(uploadsPerSecond.figure).toMatchObject({
    n: 12_000,
    nUnit: "of 13,200 uploads, those in whole minutes",
    basis: "measured",
  });
  expect(uploadsPerSecond.figure?.value).toBeCloseTo(mean, 6);
  expect(uploadsPerSecond.figure?.range).toMatchObject({ low: 10, high: 30, over: "minutes" });
  expect(uploadsPerSecond.figure?.ageSeconds).toBeCloseTo(1, 3);
  expect(peakFactor.figure).toMatchObject({ value: expect.closeTo(30 / mean, 6), n: 18 });
  expect(objects.figure?.classes).toEqual([
    { sizeClass: "to-256KiB", bytes: 256_000, share: 1, uploadCount: 13_200 },
  ]);
});

test("figures of modelled drives are marked as modelled, and are between the slowest and the fastest drive", async () => {
  const { fsyncPerSecond, residenceSecondsMean, residenceSecondsP99, shardsPerCommit } = await ask();
  expect(fsyncPerSecond.figure).toMatchObject({ basis: "modelled", nUnit: "syncs", n: 4800 });
  expect(fsyncPerSecond.figure?.value).toBeCloseTo(1 / 0.0015, 6);
  expect(fsyncPerSecond.figure?.range).toMatchObject({
    low: expect.closeTo(500, 6),
    high: expect.closeTo(1000, 6),
    over: "drives",
  });
  expect(residenceSecondsMean.figure).toMatchObject({ value: expect.closeTo(30, 6), basis: "measured" });
  // From a bucket of a histogram, whose bounds are 1.1 % apart.
  expect(Math.abs((residenceSecondsP99.figure?.value ?? 0) / 30 - 1)).toBeLessThan(0.02);
  expect(shardsPerCommit.figure?.value).toBeCloseTo(8, 6);
});

test("a probe's figure, for the record size nearest to a commit, takes precedence over sync times under load", async () => {
  const { platform } = installation;
  const figure = (recordBytes: number, syncsPerSecond: number) => ({
    recordBytes,
    syncsPerSecond,
    p50Us: 40,
    p99Us: 90,
    n: 5000,
    seconds: 5,
  });
  const probe = await createTestNode(platform, "probe-1", false, "east");
  const endedAt = new Date(endMs - 3_600_000);
  await platform.db.fsyncProbe.create({
    data: {
      id: randomUUID(),
      vault: "east",
      nodeName: "s1",
      device: "d0",
      probeNodeId: probe.id,
      probeName: "probe-1",
      state: "succeeded",
      requestedById: "ada",
      requestedByName: "Ada",
      requestedAt: endedAt,
      endedAt,
      result: {
        tool: "fio",
        toolVersion: "3.39",
        blockDevice: "nvme0n1",
        // The drives of two servers commit 4,800 times and write 4.2 GB of shards: 880 kB per commit.
        figures: [figure(4096, 20_000), figure(1_048_576, 2500)],
      },
    },
  });
  const { fsyncPerSecond } = await ask();
  expect(fsyncPerSecond.figure).toMatchObject({ value: 2500, n: 5000, basis: "measured", range: null });
  expect(fsyncPerSecond.figure?.source).toContain("measured by a probe with fio: records of 1048576 bytes");
  expect(fsyncPerSecond.figure?.ageSeconds).toBeCloseTo(3601, 0);
  await platform.db.fsyncProbe.deleteMany();
});

test("the scheme is counted from pods and bytes, and the pool from the drives that reported their capacity", async () => {
  const { scheme, installed, logWriteAmplification } = await ask();
  expect(scheme.figure).toMatchObject({ dataShards: 16, parityShards: 4 });
  expect(installed.figure).toMatchObject({
    servers: 2,
    drivesPerServer: 2,
    driveCount: 4,
    driveCapacityBytes: 3e9,
  });
  // A record of 16,000 bytes plus a header of 96 is rounded up to a multiple of 64: 16,128.
  expect(logWriteAmplification.figure?.value).toBeCloseTo(1.2, 6);
});

test("a figure that was not measured, or not for long enough, is replaced by an explanation", async () => {
  const { growthPerYear } = await ask();
  expect(growthPerYear).toEqual({
    figure: null,
    missing: "Uploads were counted for 0 whole days; a trend needs 14.",
  });
  await createTestNode(installation.platform, "quiet", false, "west");
  const quiet = await ask("west");
  expect(quiet.vaults).toEqual([
    { name: "east", isSimulated: false },
    { name: "west", isSimulated: false },
  ]);
  const { vault, vaults, fromMs, toMs, answeredAtMs, ...figures } = quiet;
  for (const [field, live] of Object.entries(figures)) {
    expect(live.figure, field).toBeNull();
    expect(live.missing, field).toMatch(/^[A-Z].*\.$/);
  }
});

test("a vault whose stash reports precedes one where only the coordinator does", async () => {
  const { db } = installation.platform;
  const lastSeenAt = new Date(endMs);
  const node = { status: "active", lastSeenAt, isSimulated: false } as const;
  const add = (vault: string, role: string) =>
    db.node.create({ data: { ...node, id: randomUUID(), name: `${vault}.${role}-1`, vault, role } });
  await add("aachen", "coordinator");
  await add("bergen", "coordinator");
  await add("bergen", "stash");
  const { vault, vaults } = await ask();
  expect(vault).toBe("bergen");
  expect(vaults.map(({ name }) => name)).toEqual(["bergen", "aachen", "east", "west"]);
  await db.node.deleteMany({ where: { vault: { in: ["aachen", "bergen"] } } });
});

test("a vault of simulated nodes follows real ones, and one that does not exist is refused", async () => {
  await createTestNode(installation.platform, "sim", true, "atlantis");
  const { vaults } = await ask();
  expect(vaults.at(-1)).toEqual({ name: "atlantis", isSimulated: true });
  await expect(ask("nowhere")).rejects.toMatchObject({ code: "not_found" });
});

test("uploads in an incomplete minute give no load, and the reason states their number", async () => {
  const { platform } = installation;
  const agent = await createTestNode(platform, "young", false, "young");
  const taken = { path: "stash", result: "stored" };
  await accept(platform, agent.batch({ endMs, counters: [["stashlight_uploads_total", taken, 5]] }));
  const { uploadsPerSecond, peakFactor } = await ask("young");
  const missing =
    "A rate needs whole minutes; 5 uploads were counted, and a minute is known to be whole only after the next one.";
  expect([uploadsPerSecond.missing, peakFactor.missing]).toEqual([missing, missing]);
});

test("uploads in the current minute are not reported as absent before it has a point", async () => {
  const { platform } = installation;
  const agent = await createTestNode(platform, "first", false, "first");
  await accept(
    platform,
    agent.batch({
      endMs: endMs - 50_000,
      histograms: [["stashlight_upload_seconds", { path: "stash", size_class: "to-256KiB" }, many(5, 0.01)]],
    }),
  );
  const { uploadsPerSecond, objects } = await ask("first");
  const missing =
    "A rate needs whole minutes; 5 uploads were counted, and a minute is known to be whole only after the next one.";
  expect([uploadsPerSecond.missing, objects.missing]).toEqual([missing, missing]);
});

test("uploads in the first minute alone are no load, although whole minutes followed", async () => {
  const { platform } = installation;
  const agent = await createTestNode(platform, "burst", false, "burst");
  const taken = { path: "stash", result: "stored" };
  const minutes = [5, 0, 0, 0].map((count, i) =>
    agent.batch({
      endMs: endMs - (3 - i) * MINUTE_MS,
      counters: [["stashlight_uploads_total", taken, count]],
    }),
  );
  await accept(platform, ...minutes);
  const { uploadsPerSecond, peakFactor } = await ask("burst");
  const missing =
    "A rate needs whole minutes; 5 uploads were counted, in minutes that agents reported only in part.";
  expect([uploadsPerSecond.missing, peakFactor.missing]).toEqual([missing, missing]);
});

test("a rate states which uploads it leaves out", async () => {
  const { platform } = installation;
  const agent = await createTestNode(platform, "partly", false, "partly");
  const taken = { path: "stash", result: "stored" };
  const minutes = [473, 7, 0, 0].map((count, i) =>
    agent.batch({
      endMs: endMs - (3 - i) * MINUTE_MS,
      counters: [["stashlight_uploads_total", taken, count]],
    }),
  );
  await accept(platform, ...minutes);
  const { uploadsPerSecond } = await ask("partly");
  expect(uploadsPerSecond.figure).toMatchObject({ n: 7, nUnit: "of 480 uploads, those in whole minutes" });
});

test("without a stash, SSDs of watched machines give the sync rate and the pool, but their HDDs do not", async () => {
  const { platform } = installation;
  const machines = [
    await createTestNode(platform, "m1", false, "machines"),
    await createTestNode(platform, "m2", false, "machines"),
  ];
  const ssd = { tier: "ssd", device: "nvme0n1" };
  const hdd = { tier: "hdd", device: "sda" };
  await accept(
    platform,
    ...machines.map((machine) =>
      machine.batch({
        endMs: endMs - MINUTE_MS,
        histograms: [
          ["stashlight_fsync_seconds", ssd, many(40, 0.0005)],
          ["stashlight_fsync_seconds", hdd, many(10, 0.02)],
        ],
        gauges: [
          ["stashlight_device_capacity_bytes", ssd, 1e12],
          ["stashlight_device_capacity_bytes", hdd, 8e12],
        ],
      }),
    ),
  );
  const { fsyncPerSecond, installed, uploadsPerSecond } = await ask("machines");
  expect(fsyncPerSecond.figure).toMatchObject({
    value: expect.closeTo(2_000, 6),
    n: 80,
    source: expect.stringContaining("of SSDs of watched machines"),
  });
  expect(installed.figure).toMatchObject({ servers: 2, drivesPerServer: 1, driveCapacityBytes: 1e12 });
  expect(uploadsPerSecond.missing).toBe("No upload went through the stash in this period.");
});

test("without any timed sync, the totals of Ceph's SSDs give the rate, but MinIO's means do not", async () => {
  const { platform } = installation;
  const agent = await createTestNode(platform, "osd-1", false, "ceph-prod");
  const kvSync = (tier: "ssd" | "hdd") => ({ tier, device: `ceph/osd.${tier}`, operation: "kv-sync" });
  await accept(
    platform,
    agent.batch({
      endMs: endMs - MINUTE_MS,
      counters: [
        ["stashlight_commits_total", kvSync("ssd"), 3_000],
        ["stashlight_commit_seconds_total", kvSync("ssd"), 1.5],
        ["stashlight_commits_total", kvSync("hdd"), 100],
        ["stashlight_commit_seconds_total", kvSync("hdd"), 2],
      ],
      gauges: [
        ["stashlight_commit_mean_seconds", { tier: "ssd", device: "minio/d1", operation: "WriteAll" }, 0.4],
      ],
    }),
  );
  const { fsyncPerSecond, installed } = await ask("ceph-prod");
  expect(fsyncPerSecond.figure).toMatchObject({
    value: expect.closeTo(2_000, 6),
    n: 3_000,
    nUnit: "syncs",
    source: expect.stringContaining("kv-sync of Ceph's SSDs"),
  });
  expect(installed.missing).toMatch(/no SSD of a watched machine reported its capacity/);
});

test("vaults behind one endpoint fill together, and the day is reported on which another one is needed", async () => {
  const { platform } = installation;
  const vaults = ["north", "south"] as const;
  const tb = 1e12;
  for (const vault of vaults) {
    const coordinator = await createTestNode(platform, `${vault}.c`, false, vault);
    // A window of the south is late: the level of the north alone is not freed space.
    const windows = Array.from({ length: vault === "north" ? 10 : 9 }, (_, hour) => {
      const taken = (vault === "north" ? 6 : 4) * tb + (hour * tb) / 10;
      return {
        endMs: endMs - (9 - hour) * HOUR_MS,
        gauges: [
          ["stashlight_vault_taken_bytes", {}, taken],
          ["stashlight_vault_capacity_bytes", {}, 10 * tb],
          ["stashlight_endpoint_capacity_bytes", { endpoint: "north" }, 10 * tb],
        ] as const,
      };
    });
    await accept(platform, ...windows.map((window) => coordinator.batch(window as never)));
  }
  const { addVault } = await ask("south");
  // 6.9 and 4.8 TB of 20 TB, and 200 GB more per hour until both are 80 % full.
  expect(addVault.figure).toMatchObject({
    vaults: ["north", "south"],
    fill: expect.closeTo(0.585, 4),
    nUnit: "points",
    basis: "measured",
    // Shows the age of the vault that is late.
    ageSeconds: expect.toSatisfy((age: number) => age >= 3600),
    state: "growing",
    forecast: expect.stringMatching(/^80 % full in \d+ hours to \d+ days, from [7-9] hours of history$/),
  });
  const { addVault: alone } = await ask("east");
  expect(alone.missing).toBe("No coordinator of the vault reported its space in this period.");
});
