import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exportRun } from "@stashlight/benchmark-formats";
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { useSharedFolder } from "@stashlight/contracts/testing";
import { createRandom, randomNormal } from "@stashlight/stats/random";
import { expect, test } from "vitest";
import { parseCommand } from "../../arguments.ts";
import { UsageError } from "../../usage-error.ts";
import { compareBenches } from "./compare.ts";
import { describeVerdicts } from "./compare-endpoints.ts";

const root = useSharedFolder();

const { uint32 } = createRandom(5);

interface Seeded {
  readonly endpoint: string;
  readonly slot: number;
  readonly levelMs: number;
  readonly connections?: number;
  readonly state?: string;
  readonly parameters?: string;
  /** Fails every sample whose index has this remainder modulo ten. */
  readonly failsAt?: number;
  /** Overrides for the fields of each sample. */
  readonly sample?: Partial<BenchmarkSample>;
  readonly isEmpty?: boolean;
}

function seedRun(folder: string, { endpoint, slot, levelMs, connections = 1, ...run }: Seeded): void {
  const { state = "succeeded", parameters = "{}", failsAt = null, sample = {}, isEmpty = false } = run;
  const samples = Array.from({ length: isEmpty ? 0 : 30 }, (_, index): BenchmarkSample => {
    // Scrambled, so that no run drifts.
    const wireMs = levelMs * (1 + ((index * 7) % 10) / 100);
    return {
      index,
      leg: 0,
      operation: "PUT",
      sizeBytes: 1000,
      transferredBytes: 1000,
      startedAtMs: 1e12 + index,
      slotMs: 1e12 + slot,
      wireMs,
      perceivedMs: wireMs,
      attempts: 1,
      phases: {},
      isCold: false,
      isTagged: false,
      endpoint,
      outcome: index % 10 === failsAt ? "failed" : "ok",
      ...sample,
    };
  });
  const details = { endpoint, method: "small-uploads", parameters, slot: String(slot), state };
  const slotMs: Record<string, string> = isEmpty ? { slotMs: String(1e12 + slot) } : {};
  const exported = {
    name: `${endpoint}-${slot}-${connections}`,
    tool: "stashlight bench",
    details: { ...details, ...slotMs },
  };
  const [file] = exportRun({ ...exported, connectionCounts: [connections], samples, drive: null }, "json");
  mkdirSync(join(root, folder), { recursive: true });
  if (file !== undefined) writeFileSync(join(root, folder, file.name), file.bytes);
}

function seedSlots(
  folder: string,
  count: number,
  levels: Record<string, number>,
  changes: Partial<Seeded> = {},
) {
  for (let slot = 1; slot <= count; slot += 1) {
    for (const [endpoint, level] of Object.entries(levels)) {
      const levelMs = level * (1 + 0.01 * randomNormal(uint32));
      seedRun(folder, { endpoint, slot, levelMs, ...changes });
    }
  }
}

async function compare(...args: string[]) {
  const [said, complained] = [[] as string[], [] as string[]];
  const command = parseCommand(["bench", "compare", ...args], {
    projectDirectory: root,
    currentDirectory: root,
  });
  if (command.name !== "bench-compare") throw new Error("The arguments are those of another command.");
  const exitCode = await compareBenches(command, {
    say: (line) => said.push(line),
    complain: (line) => complained.push(line),
  });
  return { exitCode, said, complained };
}

test("exits with 0 for a difference over undisturbed slots, with the page's sentence for the load", async () => {
  seedSlots("differ", 10, { Near: 100, Far: 150 });
  const { exitCode, said } = await compare("differ");
  expect(exitCode).toBe(0);
  expect(said).toEqual([
    expect.stringMatching(
      /^PUT of 1 kB \(1000 B\) over 1 connection: Near is faster than Far: 3\d % less time, or 1\.\dx? ?.*10 slots/,
    ),
  ]);
  const { said: json } = await compare("differ", "--json");
  expect(JSON.parse(json.join("\n"))).toMatchObject({
    format: "stashlight-bench-verdict",
    endpoints: ["Far", "Near"],
    verdicts: [{ connectionCount: 1, verdict: { kind: "faster", which: "b" }, slots: { measuredCount: 10 } }],
  });
});

test("exits with 4 for similar endpoints, and with 5 for fewer than six slots, without a p-value or an interval", async () => {
  seedSlots("alike", 8, { Near: 100, Far: 100.1 });
  expect((await compare("alike")).exitCode).toBe(4);
  seedSlots("few", 3, { Near: 100, Far: 150 });
  const { exitCode, said } = await compare("few", "--json");
  expect(exitCode).toBe(5);
  expect(JSON.parse(said.join("\n")).verdicts).toMatchObject([
    { slots: { measuredCount: 3, neededCount: 6 }, ratio: { interval: null } },
  ]);
  expect(said.join("\n")).toMatch(/3 of 6 slots/);
});

test("does not call an endpoint faster if a tenth of its requests fail, and reports its success rate", async () => {
  for (let slot = 1; slot <= 12; slot += 1) {
    const noise = 1 + 0.01 * randomNormal(uint32);
    seedRun("failing", { endpoint: "Near", slot, levelMs: 80 * noise, failsAt: 3 });
    seedRun("failing", { endpoint: "Far", slot, levelMs: 100 * noise });
  }
  const { said } = await compare("failing", "--json");
  const { endpoints, verdicts } = JSON.parse(said.join("\n"));
  const [only] = verdicts;
  expect(endpoints).toEqual(["Far", "Near"]);
  expect(only.verdict).toEqual({ kind: "unequal success", better: "a" });
  expect(only.sentence).toContain("Far succeeds more often than Near (100 % against 90.0 %, 12 slots)");
});

test("judges loads over other connections and with other parameters separately", async () => {
  seedSlots("loads", 6, { Near: 100, Far: 150 });
  seedSlots("loads", 6, { Near: 150, Far: 100 }, { connections: 8 });
  const { said } = await compare("loads");
  expect(said.map((line) => line.slice(0, 60))).toHaveLength(2);
  expect(said.join("\n")).toContain("over 8 connections: Far is faster than Near");
  expect(said.join("\n")).toContain("over 1 connection: Near is faster than Far");
  seedRun("other/a", { endpoint: "Near", slot: 1, levelMs: 100, parameters: '{"pauseMs":0}' });
  seedRun("other/b", { endpoint: "Far", slot: 1, levelMs: 100, parameters: '{"pauseMs":10}' });
  await expect(compare("other/a", "other/b")).rejects.toThrow(/share no slot of the same load/);
});

test("leaves out unfinished runs, and reports each", async () => {
  seedSlots("cut", 5, { Near: 100, Far: 150 });
  seedSlots("cut", 1, { Near: 100, Far: 150 }, { slot: 6, state: "unfinished" });
  const { exitCode, complained } = await compare("cut");
  expect(exitCode).toBe(5);
  expect(complained).toEqual([
    expect.stringMatching(/Far-6-1\.json is left out: its run is unfinished\.$/),
    expect.stringMatching(/Near-6-1\.json is left out: its run is unfinished\.$/),
  ]);
});

test("a run that failed completely counts as one without successes, with or without samples", async () => {
  seedSlots("whole", 12, { Near: 100 });
  for (let slot = 1; slot <= 12; slot += 1) {
    const hasFailed = slot > 3;
    const failing = { state: "failed", isEmpty: slot % 2 === 0 };
    seedRun("whole", { endpoint: "Far", slot, levelMs: 50 + slot / 10, ...(hasFailed ? failing : {}) });
  }
  const { exitCode, said, complained } = await compare("whole");
  expect(said).toEqual([
    expect.stringContaining(
      "Near succeeds more often than Far (100 % against 25.0 % over 12 runs each, 3 of 6 slots)",
    ),
  ]);
  expect(exitCode).toBe(0);
  expect(complained).toHaveLength(9);
  expect(complained[0]).toMatch(
    /Far-10-1\.json: its run failed as a whole, and counts as one in which nothing succeeded\.$/,
  );
});

test("reports in how many runs each endpoint succeeded, if one never did", async () => {
  seedSlots("never", 3, { Near: 100 });
  for (let slot = 1; slot <= 3; slot += 1) {
    seedRun("never", { endpoint: "Far", slot, levelMs: 10, sample: { outcome: "failed" } });
  }
  await expect(compare("never")).rejects.toThrow(
    /share no slot .* in which both succeeded: a request succeeded at Far in 0 of 3 runs, and at Near in 3 of 3 runs\.$/,
  );
});

test("reads a folder given twice once, and refuses a copy of a run", async () => {
  seedSlots("twice", 6, { Near: 100, Far: 150 });
  const once = await compare("twice");
  const twice = await compare("twice", "twice", "twice/Near-1-1.json");
  expect([twice.exitCode, twice.said]).toEqual([once.exitCode, once.said]);
  expect(twice.complained).toEqual(["13 files are given more than once, and read once."]);
  seedRun("copy", { endpoint: "Near", slot: 1, levelMs: 100 });
  await expect(compare("twice", "copy")).rejects.toThrow(
    /twice\/Near-1-1\.json and .*copy\/Near-1-1\.json have the same slot .*pass each run only once/,
  );
});

test.each<[string, Partial<BenchmarkSample>, RegExp]>([
  ["no slot", { slotMs: undefined }, /in which slot it was measured, so it cannot be paired; give files/],
  ["times of 0", { wireMs: 0 }, /reports 0 ms for every PUT of 1 kB .*, which cannot be compared/],
  [
    "a leg of unknown connections",
    { leg: 1 },
    /has a sample of leg 1, but lists the connections of only 1 leg/,
  ],
])("refuses a file with %s", async (name, sample, message) => {
  seedSlots(name, 6, { Near: 100, Far: 150 }, { sample });
  await expect(compare(name)).rejects.toThrow(UsageError);
  await expect(compare(name)).rejects.toThrow(message);
});

test("refuses input that cannot compare two endpoints, and explains what to give", async () => {
  seedSlots("one", 6, { Near: 100 });
  await expect(compare("one")).rejects.toThrow(/Two endpoints are compared, and the files have Near; choose/);
  seedSlots("three", 6, { A: 100, B: 100, C: 100 });
  await expect(compare("three")).rejects.toThrow(/the files have A, B, C; choose with --endpoint/);
  expect((await compare("three", "--endpoint", "C", "--endpoint", "A")).said).toHaveLength(1);
  await expect(compare("three", "--endpoint", "C", "--endpoint", "D")).rejects.toThrow(/No run of "D"/);
  await expect(compare("nowhere")).rejects.toThrow(/nowhere cannot be read \(ENOENT\)/);
  mkdirSync(join(root, "folder/inner.json"), { recursive: true });
  await expect(compare("folder")).rejects.toThrow(/inner\.json cannot be read \(EISDIR\)/);
  mkdirSync(join(root, "empty"));
  await expect(compare("empty")).rejects.toThrow(/has no files that bench run --output wrote/);
  writeFileSync(join(root, "broken.json"), '{"format":"stashlight-benchmark"');
  await expect(compare("broken.json")).rejects.toThrow(/broken\.json: /);
  await expect(compare()).rejects.toThrow(/Give the files or folders/);
});

test("describes slots of one command as within one hour, but not a single slot", () => {
  const verdictOver = (measuredCount: number, undisturbedCount = measuredCount) => ({
    sentence: "Near leads.",
    slots: { measuredCount, undisturbedCount, neededCount: 6 },
  });
  expect(describeVerdicts([verdictOver(6)])).toEqual([
    "Near leads.",
    expect.stringMatching(/^6 of 6 .* back to back\./),
  ]);
  expect(describeVerdicts([verdictOver(6, 0), verdictOver(6, 4)])[2]).toMatch(/^4 of 4 .* back to back\./);
  expect(describeVerdicts([verdictOver(6, 0)])[1]).toMatch(/none is undisturbed, so none counts/);
  expect(describeVerdicts([verdictOver(1)])).toEqual(["Near leads."]);
  expect(describeVerdicts([])).toEqual([]);
});
