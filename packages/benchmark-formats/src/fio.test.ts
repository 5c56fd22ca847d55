import { expect, test } from "vitest";
import { golden, imported } from "./testing.ts";

test("fio's syncs with fdatasync are counted by their latencies, and its bins are midpoints", async () => {
  const run = await imported(golden("fio-fdatasync.txt"));
  expect(run).toMatchObject({ format: "fio-json", tool: "fio-3.37", startedAtMs: 1_726_394_400_123 });
  expect(run.details).toMatchObject({ fdatasync: "1" });
  const [write, sync] = run.summaries;
  expect(write).toMatchObject({
    label: "fsync-probe: write",
    operation: "WRITE",
    sizeBytes: 65_536,
    operationCount: 5000,
    meanMs: 0.0512005,
    bytesPerSecond: 32_000 * 1024 + 512,
    operationsPerSecond: 500,
  });
  expect(write?.percentilesMs?.[1]).toEqual([500_000, 0.048896]);
  expect(sync).toMatchObject({ operation: "SYNC", operationCount: 5000, sizeBytes: null, maxMs: 21 });
  expect(run.distributions[1]?.bins).toEqual([
    [1.875968, 4900],
    [4.489216, 90],
    [20.840448, 10],
  ]);
});

test("an older fio has bw in KiB per second, and separate sizes of reads and writes", async () => {
  const { summaries } = await imported(golden("fio-randrw.json"));
  expect(summaries.map(({ sizeBytes }) => sizeBytes)).toEqual([4096, 16_384]);
  expect(summaries[0]?.bytesPerSecond).toBe(12_800 * 1024);
});

const fioLog = "1000, 250000, 0, 4096, 0, 0\n1000, 900000, 1, 16384, 0x1000\n2000, 260000, 0, 4096, 0, 0\n";
const importLog = (text: string, name: string) => imported(Buffer.from(text), name);

test("a log of fio's latencies yields samples, whose times are since the start", async () => {
  const run = await importLog(fioLog, "cell_clat.1.log");
  expect(run).toMatchObject({ format: "fio-log", tool: "fio", startedAtMs: null });
  expect(run.samples.map(({ operation, sizeBytes, wireMs }) => [operation, sizeBytes, wireMs])).toEqual([
    ["READ", 4_096, 0.25],
    ["WRITE", 16_384, 0.9],
    ["READ", 4_096, 0.26],
  ]);
  expect(run.notes).toEqual([]);
  const ofClock = await importLog("1726394400123, 5, 0, 512, 0\n1726394401123, 5, 2, 512, 0\n", "a_lat.log");
  expect(ofClock.startedAtMs).toBe(1_726_394_400_123);
  expect(ofClock.notes).toContain("1 line of trims left out.");
  const means = await importLog("500, 250000, 0, 0, 0\n", "cell_clat.1.log");
  expect(means.notes).toEqual([expect.stringContaining("means of intervals (log_avg_msec)")]);
});

test("a log of fio's rates yields the rate of each direction and size, and no samples", async () => {
  const { summaries, samples } = await importLog(
    "0, 1, 0, 4096, 0\n1000, 1, 0, 4096, 0\n2000, 1, 0, 4096, 0\n",
    "a_iops.2.log",
  );
  expect(samples).toEqual([]);
  expect(summaries).toEqual([
    {
      label: "read",
      operation: "READ",
      sizeBytes: 4_096,
      operationCount: 3,
      operationsPerSecond: 1.5,
      isApproximate: false,
    },
  ]);
  const bandwidth = await importLog("500, 300, 1, 0, 0\n1000, 500, 1, 0, 0\n", "a_bw.log");
  expect(bandwidth.summaries[0]).toMatchObject({ operation: "WRITE", bytesPerSecond: 400 * 1_024 });
  const ofClock = await importLog("1726394400000, 1, 0, 512, 0\n1726394402000, 1, 0, 512, 0\n", "a_iops.log");
  expect(ofClock.summaries[0]?.operationsPerSecond).toBe(1);
  await expect(importLog("0, 1, 0, 512, 0\n", "a_iops.log")).rejects.toThrow(
    /the same time, so it has no rate/,
  );
});

/** These rates are those of fio's own report on the same runs. */
test.each([
  ["per-request_iops.1.log", { operationsPerSecond: 986.84, sizeBytes: 4_096, operationCount: 300 }, 0.001],
  ["per-request_bw.1.log", { bytesPerSecond: 4_042_105, sizeBytes: 4_096, operationCount: 300 }, 0.001],
  ["three-jobs_iops.log", { operationsPerSecond: 4_760.6, sizeBytes: null }, 0.01],
  ["three-jobs_bw.log", { bytesPerSecond: 19_499_306, sizeBytes: null }, 0.01],
] as const)("%s has the rate of the whole run, not of a request or one job", async (name, right, share) => {
  const [summary, ...others] = (await imported(golden(name), name)).summaries;
  expect(others).toEqual([]);
  for (const [key, value] of Object.entries(right)) {
    const found = summary?.[key as keyof typeof summary];
    if (key.endsWith("PerSecond"))
      expect(Math.abs((found as number) / (value as number) - 1)).toBeLessThan(share);
    else expect(found).toBe(value);
  }
});

test("a mean of fio is never shown beside percentiles of another latency", async () => {
  const { summaries, distributions, notes } = await imported(golden("fio-buffered-libaio.json"));
  const [write] = summaries;
  expect(write).toMatchObject({ operation: "WRITE", operationCount: 385, sizeBytes: 1_048_576 });
  expect(write?.meanMs).toBeCloseTo(4.453416, 6);
  expect(write?.percentilesMs).toBeUndefined();
  expect(distributions).toEqual([]);
  expect(notes).toContainEqual(expect.stringMatching(/submission took a large part.*--lat_percentiles=1/));
  const [read] = (await imported(golden("fio-normal-json.txt"))).summaries;
  expect(read?.meanMs).toBeCloseTo(0.281384, 6);
  expect(read?.percentilesMs?.[6]).toEqual([500_000, 0.005216]);
});

test("fio's JSON is found within its other output, and the last of several documents is read", async () => {
  const normal = golden("fio-normal-json.txt");
  const { summaries } = await imported(normal);
  expect(summaries.map(({ label, sizeBytes }) => [label, sizeBytes])).toEqual([
    ["j1: read", null],
    ["j2: read", 131_072],
  ]);
  const whole = normal.toString();
  const early = whole.replace('"total_ios" : 6596', '"total_ios" : 7');
  const twice = await imported(Buffer.from(`${early}\n${whole}`));
  expect(twice.summaries).toEqual(summaries);
  expect(twice.notes).toContainEqual(expect.stringMatching(/2 documents, as with --status-interval/));
});

test("jobs of fio's clients are read by host, and their sum is ignored", async () => {
  const { summaries } = await imported(golden("fio-client-stats.json"));
  expect(summaries).toHaveLength(1);
  expect(summaries[0]).toMatchObject({
    label: "host-a: seqw: write",
    operationCount: 2055,
    sizeBytes: 1_048_576,
  });
});

test("fio 2 writes microseconds, and the same run of fio 3 nanoseconds", async () => {
  const [old, recent] = await Promise.all(
    ["fio-2.16.json", "fio-client-stats.json"].map(
      async (name) => (await imported(golden(name))).summaries[0],
    ),
  );
  expect(old?.meanMs).toBeCloseTo(5.4458, 3);
  expect(old?.meanMs).toBeCloseTo(recent?.meanMs ?? 0, 3);
  const p99 = ({ percentilesMs = [] }: { percentilesMs?: readonly (readonly [number, number])[] }) =>
    percentilesMs.find(([perMillion]) => perMillion === 990_000)?.[1];
  expect(p99(old ?? {})).toBeCloseTo(31.326, 3);
  expect(p99(old ?? {})).toBeCloseTo(p99(recent ?? {}) ?? 0, 2);
});

test("reads and writes that fio reports as one are refused, and the message explains why", async () => {
  await expect(imported(golden("fio-unified.json"))).rejects.toThrow(
    /unified_rw_reporting=1.*Run fio again without that option/,
  );
});

test("a failed job of fio has its failure and no latency", async () => {
  const { summaries, notes } = await imported(golden("fio-error.json"));
  expect(summaries).toEqual([
    {
      label: "err: write",
      operation: "WRITE",
      sizeBytes: expect.anything(),
      isApproximate: false,
      operationCount: 1,
      failureCount: 1,
    },
  ]);
  expect(notes).toContain('Job "err" ended with error 28 (ENOSPC).');
});

test("a fio run without latencies has only rates", async () => {
  const none = golden("fio-client-stats.json")
    .toString()
    .replace(/"(?:mean|min|max|stddev)"\s*:\s*[\d.]+/g, (found) => found.replace(/[\d.]+$/, "0"));
  const { summaries, notes } = await imported(Buffer.from(none));
  expect(summaries[0]?.operationsPerSecond).toBeCloseTo(683.405, 3);
  expect(summaries[0]?.meanMs).toBeUndefined();
  expect(notes).toContainEqual(expect.stringMatching(/measured no latencies/));
});

test("a block size follows the run's kb_base", async () => {
  const text = (ioBytes: number) =>
    JSON.stringify({
      "fio version": "fio-3.33",
      jobs: [
        {
          jobname: "j",
          "job options": { bs: "64k" },
          read: {
            io_bytes: ioBytes,
            total_ios: 1000,
            bw_bytes: ioBytes,
            iops: 1000,
            lat_ns: { mean: 5, N: 1000 },
          },
        },
      ],
    });
  for (const bytes of [64_000, 65_536]) {
    const { summaries } = await imported(Buffer.from(text(bytes * 1000)));
    expect(summaries[0]?.sizeBytes).toBe(bytes);
  }
});

test.each([
  ["log.txt", fioLog, /does not show its content: it must end in _lat\.log/],
  ["a_slat.1.log", fioLog, /times of submission \(slat\)/],
  ["a_lat.1.log", `${fioLog}soon, 1, 0, 4096, 0\n`, /^Line 4: .* is not a line of a fio log\.$/],
  ["a_lat.1.log", "1, 9000000000000000, 0, 4096, 0\n", /longer than an hour/],
])("a fio log named %s is refused, and the message explains why", async (name, text, message) => {
  await expect(importLog(text, name)).rejects.toThrow(message);
});

test.each(["job options", "global options"])(
  "a note explains when fio's latency starts if the %s have a rate",
  async (place) => {
    const file = JSON.parse(golden("fio-randrw.json").toString());
    const options = place === "job options" ? file.jobs[0][place] : file[place];
    options.rate_iops = "200";
    const { notes } = await imported(Buffer.from(JSON.stringify(file)));
    expect(notes).toContainEqual(
      expect.stringMatching(/had a rate \(rate_iops=200\): fio counts latency from when/),
    );
    expect((await imported(golden("fio-randrw.json"))).notes.join(" ")).not.toContain("had a rate");
  },
);
