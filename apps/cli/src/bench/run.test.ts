/** Runs the command as a pipeline does, against servers on this machine that record their requests. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTruthServer, TEST_CREDENTIALS, type TruthServer } from "@stashlight/benchmark/testing";
import { useSharedFolder } from "@stashlight/contracts/testing";
import { afterEach, expect, test } from "vitest";
import { parseCommand } from "../arguments.ts";
import { runBench } from "./run.ts";

const folder = useSharedFolder();

const servers: TruthServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const environment = { KEY_ID: TEST_CREDENTIALS.accessKeyId, KEY: TEST_CREDENTIALS.secretAccessKey };

async function endpointFile(name: string, changes: object = {}): Promise<string> {
  const server = await startTruthServer();
  servers.push(server);
  const path = join(folder, `${name}.json`);
  const endpoint = { name, kind: "s3-compatible", url: server.url, region: "us-east-1", bucket: "bench" };
  const credentials = { accessKeyIdFrom: "KEY_ID", secretAccessKeyFrom: "KEY" };
  writeFileSync(path, JSON.stringify({ ...endpoint, credentials, ...changes }));
  return path;
}

const quick = ["--preset", "small-uploads/b2-2023", "--set", "sizesBytes=[1000]", "--set", "pauseMs=0"];
const short = [...quick, "--set", "repetitionCount=5", "--set", "pingCount=0", "--set", "warmUpCount=1"];

async function bench(args: readonly string[]) {
  const said: string[] = [];
  const complained: string[] = [];
  const surroundings = { projectDirectory: folder, currentDirectory: folder };
  const command = parseCommand(["bench", "run", ...args], surroundings);
  if (command.name !== "bench-run") throw new Error("The arguments are those of another command.");
  const exitCode = await runBench(command, {
    screen: { say: (line) => said.push(line), draw: () => {} },
    complain: (line) => complained.push(line),
    environment,
    interrupted: new AbortController().signal,
  });
  return { exitCode, said, complained };
}

test("endpoints take turns in every slot, nothing is left on them, and a console can import the files", async () => {
  const [a, b] = [await endpointFile("a"), await endpointFile("b")];
  const output = join(folder, "runs");
  const { exitCode, said, complained } = await bench([
    ...["--endpoint", a, "--endpoint", b, "--slots", "2", "--seed", "7", "--output", output, "--json"],
    ...short,
  ]);
  expect({ exitCode, complained }).toEqual({ exitCode: 0, complained: [] });
  const answer = JSON.parse(said.join("\n"));
  expect(answer).toMatchObject({ format: "stashlight-bench", version: 1, slotCount: 2, missedLimits: [] });
  expect(answer.runs.map((run: { endpoint: string; slot: number }) => run.slot)).toEqual([0, 0, 1, 1]);
  expect(answer.figures).toMatchObject([
    { operation: "PUT", sizeBytes: 1000, n: 10, failureCount: 0 },
    { operation: "PUT", sizeBytes: 1000, n: 10, failureCount: 0 },
  ]);
  expect(answer.verdicts).toMatchObject([{ operation: "PUT", sizeBytes: 1000, connectionCount: 1 }]);
  expect(answer.verdicts[0].sentence).toContain("2 of 6 slots");
  expect(servers.map(({ store }) => store.keys)).toEqual([[], []]);
  expect(readdirSync(output).sort()).toEqual([
    "a-small-uploads-1.json",
    "a-small-uploads-2.json",
    "b-small-uploads-1.json",
    "b-small-uploads-2.json",
  ]);
  const written = JSON.parse(readFileSync(join(output, "a-small-uploads-1.json"), "utf8"));
  expect(written).toMatchObject({ format: "stashlight-benchmark", details: { endpoint: "a", slot: "1" } });
  expect(written.samples).toHaveLength(5);
  expect(JSON.stringify([answer, written])).not.toContain(TEST_CREDENTIALS.secretAccessKey);
}, 60_000);

test("exits with 3 for a limit that is exceeded or was never measured, and reports each", async () => {
  const a = await endpointFile("a");
  const limits = ["PUT 1kB median 0.0001ms", "PUT 1kB p95 60000ms", "GET 1kB median 1ms"];
  const { exitCode, said } = await bench([
    ...["--endpoint", a, ...limits.flatMap((limit) => ["--limit", limit])],
    ...short,
  ]);
  expect(exitCode).toBe(3);
  expect(said.slice(-2)).toEqual([
    expect.stringMatching(/^a: PUT 1kB median 0\.0001ms is not met: \d/),
    "a: GET 1kB median 1ms is not met, because no such load was measured.",
  ]);
}, 60_000);

test("at a constant rate the latencies include the wait of uploads behind a stall", async () => {
  const server = await startTruthServer({ delayMs: (number) => (number === 4 ? 400 : 0) });
  servers.push(server);
  const a = await endpointFile("a", { url: server.url });
  const rate = ["--set", 'mode="constant-rate"', "--set", "ratePerSecond=50", "--set", "warmUpCount=0"];
  const args = [...quick, ...rate, "--set", "repetitionCount=20", "--set", "pingCount=0"];
  const { said } = await bench(["--endpoint", a, ...args, "--json"]);
  const [figures] = JSON.parse(said.join("\n")).figures;
  // Upload 4 ends 400 ms after it was due, and each of the 15 after it at most 20 ms sooner than the one before.
  expect(figures.percentiles.median.value).toBeGreaterThanOrEqual(195);
  expect(figures.percentiles.p95.value).toBeGreaterThanOrEqual(375);
  expect(figures.starts.kind).toBe("due");
  expect(figures.starts.lateCount).toBeGreaterThanOrEqual(15);
  expect(figures.starts.maxMs).toBeGreaterThanOrEqual(375);
  expect(figures.starts.service.medianMs).toBeLessThan(figures.percentiles.median.value);
  const { said: lines } = await bench(["--endpoint", a, ...args]);
  expect(lines.join("\n")).toMatch(
    /a: PUT of 1 kB .* over 1 connection: latencies count from when uploads were due\. Starts were late by p50 .*, p99 n < 299, max .*; \d+ of 20 started 5 ms or more late, none was skipped\. Service time, from when the request was written: median /,
  );
}, 60_000);

test("a closed loop reports its pauses", async () => {
  const a = await endpointFile("a");
  const { said } = await bench(["--endpoint", a, ...short, "--set", "pauseMs=3"]);
  expect(said.join("\n")).toMatch(/a: actual pauses: p50 .*, p99 n < 299, max .*; 3 ms were requested\./);
}, 60_000);

const smallRestore = ["--preset", "restore/small-objects", "--set", "objectBytes=1000"];
const restoreOf24 = [...smallRestore, "--set", "objectCount=24", "--set", "connectionCount=4"];

test("separates downloads over one connection and over four, and estimates a restore from the nearest", async () => {
  const a = await endpointFile("a");
  const args = ["--endpoint", a, ...restoreOf24, "--set", "singleCount=10"];
  const { exitCode, said } = await bench([
    ...args,
    "--restore",
    "100x1kB@4",
    "--restore",
    "10x1kB",
    "--json",
  ]);
  expect(exitCode).toBe(0);
  const { figures, restores } = JSON.parse(said.join("\n"));
  expect(figures).toMatchObject([
    { operation: "PUT", connectionCount: 1, n: 24 },
    { operation: "GET", connectionCount: 1, n: 10 },
    { operation: "GET", connectionCount: 4, n: 24 },
  ]);
  const sentences = restores.map(({ sentence }: { sentence: string }) => sentence);
  expect(sentences[0]).toMatch(/from 24 downloads over 4 connections\.$/);
  expect(sentences[1]).toMatch(/from 10 downloads over one connection\.$/);
}, 60_000);

test("refuses a limit that fits two loads before anything is sent, and applies one that names its connections", async () => {
  const a = await endpointFile("a");
  const args = ["--endpoint", a, ...restoreOf24, "--set", "singleCount=10"];
  await expect(bench([...args, "--limit", "GET 1kB p95 1ms"])).rejects.toThrow(
    '--limit "GET 1kB p95 1ms" fits loads over 1 and over 4 connections, which are judged separately: use 1kB@1 or 1kB@4 for its size.',
  );
  expect(servers.map(({ records }) => records.length)).toEqual([0]);
  const limits = ["GET 1kB@4 median 60000ms", "GET 1kB@8 median 60000ms", "PUT 1kB median 60000ms"];
  const { exitCode, said } = await bench([...args, ...limits.flatMap((limit) => ["--limit", limit])]);
  expect(exitCode).toBe(3);
  expect(said.at(-1)).toBe("a: GET 1kB@8 median 60000ms is not met, because no such load was measured.");
}, 60_000);

const priceList = {
  perThousandPuts: 5,
  perThousandGets: 0,
  perGbEgress: 0,
  perGbMonth: 0,
  asOf: "2026-11-01",
};

test("refuses a cost above --max-cost over all endpoints and slots before anything is sent", async () => {
  const a = await endpointFile("a", { priceList: { ...priceList, minimumStorageDays: 0 } });
  const once = ["--endpoint", a, ...short];
  await expect(bench([...once, "--slots", "3", "--max-cost", "0.1"])).rejects.toThrow(
    /^The estimated cost is \$0\.1\d{3}, and --max-cost allows at most \$0\.1000;/,
  );
  expect(servers.map(({ records }) => records.length)).toEqual([0]);
  expect(await bench([...once, "--max-cost", "0.1"])).toMatchObject({ exitCode: 0 });
}, 60_000);

test("--max-cost is refused for an endpoint without a price list, whose cost is unknown", async () => {
  const a = await endpointFile("a");
  await expect(bench(["--endpoint", a, "--max-cost", "5", ...short])).rejects.toThrow(
    '--max-cost cannot be checked for the endpoint "a", which has no priceList',
  );
});

test("exits with 1 if an endpoint refuses, with the reason", async () => {
  const a = await endpointFile("a", { url: "http://127.0.0.1:1" });
  const { exitCode, said } = await bench(["--endpoint", a, ...short]);
  expect(exitCode).toBe(1);
  expect(said.join("\n")).toMatch(/a, slot 1: 127\.0\.0\.1 refused the connection/);
}, 60_000);

test.each<[string, object, RegExp]>([
  ["no bucket", { bucket: undefined }, /bucket/],
  ["a kind that does not exist", { kind: "floppy" }, /kind/],
  ["a variable that is not set", { credentials: { secretAccessKeyFrom: "NOWHERE" } }, /NOWHERE is not set/],
  ["no secret at all", { credentials: { accessKeyId: "k" } }, /credentials: /],
  [
    "a missing secret file",
    { credentials: { secretAccessKeyFile: "gone.json" } },
    /gone\.json cannot be read/,
  ],
  ["an access key that its kind does not allow", { kind: "azure-blob" }, /credentials\.accessKeyId/],
])("refuses an endpoint's file with %s", async (_, changes, sentence) => {
  const path = await endpointFile("wrong", changes);
  await expect(bench(["--endpoint", path, ...short])).rejects.toThrow(sentence);
  await expect(bench(["--endpoint", path, ...short])).rejects.toThrow(/wrong\.json|gone\.json/);
});

test("uses a secret that other users can read, but warns", async () => {
  const path = await endpointFile("open", { credentials: TEST_CREDENTIALS });
  const { exitCode, complained } = await bench(["--endpoint", path, ...short]);
  expect(exitCode).toBe(0);
  expect(complained).toEqual([expect.stringMatching(/can be read by other users/)]);
}, 60_000);

test.each<[readonly string[], RegExp]>([
  [["--preset", "b2-2023"], /--endpoint must be/],
  [["--endpoint", "e.json"], /--preset must be/],
  [["--endpoint", "e.json", "--preset", "nothing"], /--preset must be one of small-uploads\/b2-2023/],
  [["--endpoint", "e.json", "--preset", "b2-2023"], /Several methods have a preset "b2-2023"/],
  [["--endpoint", "e.json", "--preset", "x", "--limit", "PUT fast"], /--limit must be an operation/],
  [["--endpoint", "e.json", "--preset", "x", "--set", "5"], /--set must be a parameter/],
  [["--endpoint", "e.json", "--preset", "x", "--slots", "0"], /--slots must be a number/],
  [["--endpoint", "e.json", "--preset", "x", "--max-cost", "cheap"], /--max-cost must be US dollars/],
])("refuses %j", async (args, sentence) => {
  await expect(bench(args)).rejects.toThrow(sentence);
});

test("refuses an invalid value of a parameter, and names the parameter", async () => {
  const a = await endpointFile("a");
  const args = ["--endpoint", a, "--preset", "small-uploads/b2-2023", "--set", "pauseMs=-1"];
  await expect(bench(args)).rejects.toThrow(/pauseMs/);
});

test("a restore estimate has its interval and source, or a bound if its number of connections was not measured", async () => {
  const a = await endpointFile("a");
  const sweep = [
    "--preset",
    "object-sweep/quick",
    "--set",
    "sizesBytes=[1000]",
    "--set",
    "repetitionCount=10",
  ];
  const fast = ["--set", "pauseMs=0", "--set", "pingCount=0"];
  const restores = ["--restore", "10x1kB", "--restore", "1000x1kB@16", "--restore", "5x2kB"];
  const { exitCode, said } = await bench(["--endpoint", a, ...sweep, ...fast, ...restores]);
  expect(exitCode).toBe(0);
  const time = "[\\d.]+ s \\([\\d.]+ s to [\\d.]+ s\\)";
  const expected = [
    `^a: 10 kB .* as 10 objects of 1 kB .*: ${time}, one after the other, .* from 10 downloads over one connection\\.$`,
    "^a: 1 MB .* as 1,000 objects of 1 kB .*: [\\d.]+ s, over 16 connections, at the [\\d.]+ MB/s that were measured over one connection \\(a bound without an interval, because 16 connections were not measured\\); from 10 downloads over one connection; extrapolated\\.$",
    "^a: 10 kB .* as 5 objects of 2 kB .*: unknown, because no download of this size succeeded\\.$",
  ];
  for (const pattern of expected) expect(said.some((line) => new RegExp(pattern).test(line))).toBe(true);
}, 60_000);

test.each(["100", "x100MB", "0x1kB", "5x1kB@99", "5x"])("refuses a restore of %j", async (text) => {
  const args = ["--endpoint", "e.json", "--preset", "objectbench", "--restore", text];
  await expect(bench(args)).rejects.toThrow(/--restore must be/);
});

test("a nightly backup reports each stage with its cost, and whether it fits into the night", async () => {
  const prices = { perThousandPuts: 5, perThousandGets: 0.4, perGbEgress: 0, perGbMonth: 0 };
  const priceList = { ...prices, minimumStorageDays: 0, asOf: "2026-11-01" };
  const a = await endpointFile("night", { priceList });
  const small = ["--set", "dataBytes=81920", "--set", "blockBytes=4096", "--set", "connectionCount=2"];
  const { exitCode, said } = await bench(["--endpoint", a, "--preset", "backup/nightly", ...small]);
  expect(exitCode).toBe(0);
  const findLine = (title: string) => said.find((line) => line.startsWith(`night, slot 1: ${title}:`));
  expect(findLine("Full backup")).toMatch(
    / MB\/s, 60 requests, \$0\.3; 1 TB .* in .* h, extrapolated, which .*fit.* 8 h$/,
  );
  for (const title of ["Incremental 1", "Incremental 2", "Merge into a synthetic full"])
    expect(findLine(title)).toContain("requests");
  expect(findLine("Restore of machine 1")).toContain("20 requests");
});
