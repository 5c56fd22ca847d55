/** Files of a run whose process is killed, whose disk is full, or whose endpoints have similar names. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTruthServer, TEST_CREDENTIALS, type TruthServer } from "@stashlight/benchmark/testing";
import { importFile } from "@stashlight/benchmark-formats";
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { useSharedFolder } from "@stashlight/contracts/testing";
import { afterEach, expect, test, vi } from "vitest";
import { SampleFile } from "./sample-file.ts";

const folder = useSharedFolder();

let server: TruthServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function readFile(path: string) {
  const samples: BenchmarkSample[] = [];
  const input = { name: "run.json", bytes: readFileSync(path) };
  const result = await importFile(input, { take: (sample) => samples.push(sample) });
  if (!result.ok) throw new Error(result.refusal.message);
  return { ...result.run, samples };
}

test("a run whose process is killed leaves an importable file with its samples, marked as unfinished", async () => {
  server = await startTruthServer();
  const endpoint = {
    name: "a",
    kind: "s3-compatible",
    url: server.url,
    region: "us-east-1",
    bucket: "bench",
  };
  writeFileSync(join(folder, "a.json"), JSON.stringify({ ...endpoint, credentials: TEST_CREDENTIALS }), {
    mode: 0o600,
  });
  const main = join(import.meta.dirname, "../main.ts");
  const parameters = ["sizesBytes=[1000]", "repetitionCount=10000", "pauseMs=5", "pingCount=0"];
  const args = ["--endpoint", "a.json", "--preset", "small-uploads/b2-2023", "--output", "runs"];
  const child = spawn(
    process.execPath,
    [main, "bench", "run", ...args, ...parameters.flatMap((each) => ["--set", each])],
    { cwd: folder, stdio: "ignore" },
  );
  const path = join(folder, "runs", "a-small-uploads-1.json");
  const hasSamples = (): boolean =>
    existsSync(path) && (readFileSync(path, "utf8").match(/"index"/g)?.length ?? 0) >= 20;
  await vi.waitFor(() => expect(hasSamples()).toBe(true), { timeout: 50_000, interval: 20 });
  child.kill("SIGKILL");
  await once(child, "exit");
  const { samples, details, connectionCounts } = await readFile(path);
  expect(samples.length).toBeGreaterThanOrEqual(20);
  expect(samples.map(({ index }) => index)).toEqual(samples.map((_, place) => place));
  expect(details).toMatchObject({ state: "unfinished", endpoint: "a", slot: "1" });
  expect(connectionCounts).toEqual([1]);
}, 60_000);

const head = { name: "a run", details: { endpoint: "a" }, connectionCounts: [1] };
const sample = (index: number): BenchmarkSample => ({
  index,
  operation: "PUT",
  outcome: "ok",
  sizeBytes: 1000,
  transferredBytes: 1000,
  startedAtMs: 1_795_258_800_000 + index,
  wireMs: 2,
  perceivedMs: 2,
  attempts: 1,
  phases: {},
  isCold: false,
  isTagged: false,
  objectKey: "ä",
});

test("the file is complete after every write, and ends with the run's outcome", async () => {
  const file = new SampleFile(join(folder, "whole"), head, new Set());
  const path = join(folder, "whole", file.name);
  const counts: number[] = [];
  for (const indexes of [[0], [1, 2], [3]]) {
    for (const index of indexes) file.add(sample(index));
    file.flush();
    const read = await readFile(path);
    expect(read.details).toEqual({ endpoint: "a", state: "unfinished" });
    counts.push(read.samples.length);
  }
  expect(counts).toEqual([1, 3, 4]);
  file.add(sample(4));
  file.end("succeeded");
  const { samples, details } = await readFile(path);
  expect(details).toEqual({ endpoint: "a", state: "succeeded" });
  expect(samples).toEqual([0, 1, 2, 3, 4].map(sample));
  expect(file.problem).toBeNull();
});

test("a file that can no longer be written is reported without stopping the measurement", () => {
  const file = new SampleFile(join(folder, "gone"), head, new Set());
  rmSync(join(folder, "gone"), { recursive: true });
  file.add(sample(0));
  file.end("succeeded");
  expect(file.problem).toMatch(/a-run\.json is incomplete: ENOENT/);
});

test("endpoints whose names give the same file name have separate files", () => {
  const first = new SampleFile(join(folder, "names"), { ...head, name: "B2 / EU" }, new Set());
  const second = new SampleFile(join(folder, "names"), { ...head, name: "B2-EU" }, new Set([first.name]));
  expect([first.name, second.name]).toEqual(["B2-EU.json", "B2-EU~2.json"]);
  first.end("failed");
  second.end("failed");
});
