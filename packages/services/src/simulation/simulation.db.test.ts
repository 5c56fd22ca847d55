import type { Scenario } from "@stashlight/contracts/planner";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { present } from "../present.ts";
import {
  openTestInstallation,
  type Person,
  type TestInstallation,
  testScenario,
  testScenarioResult,
} from "../testing/index.ts";
import { cancelSimulation } from "./cancel.ts";
import { deleteSimulation } from "./delete.ts";
import { getSimulation } from "./get.ts";
import { listSimulations } from "./list.ts";
import { readLiveVault } from "./read-live-vault.ts";
import { runNextSimulation } from "./run-next.ts";
import { type Simulator, type SimulatorHooks, type SimulatorRun, threadSimulator } from "./runner.ts";
import { startSimulation } from "./start.ts";

let installation: TestInstallation;
let operator: Person;

beforeEach(async () => {
  installation = await openTestInstallation({ kind: "worker" });
  operator = await installation.person("operator", "Olga");
});
afterEach(() => installation.close());

/** Ends when the test ends it, or when it is aborted. */
function fakeSimulator() {
  const runs: { hooks: SimulatorHooks; settle: PromiseWithResolvers<SimulatorRun> }[] = [];
  const simulator: Simulator = {
    run: (_options, hooks) => {
      const settle = Promise.withResolvers<SimulatorRun>();
      hooks.signal.addEventListener("abort", () => settle.reject(new Error("ended")), { once: true });
      if (hooks.signal.aborted) settle.reject(new Error("ended"));
      runs.push({ hooks, settle });
      return settle.promise;
    },
  };
  const last = async () => {
    await vi.waitFor(() => expect(runs.length).toBeGreaterThan(0));
    return present(runs.at(-1));
  };
  return { simulator, runs, last };
}

const never = new AbortController().signal;
const result = testScenarioResult(1);
const runNext = (simulator: Simulator, { stopping = never, claimant = "worker-1" } = {}) =>
  runNextSimulation(installation.platform, { claimant, simulator, beatMs: 20, stopping });
const start = async (changes: Partial<Scenario> = {}, name = "Steady day") => {
  const input = { name, scenario: testScenario(changes), measured: null };
  return (await startSimulation({ ctx: operator.ctx, input })).simulationId;
};
const get = (simulationId: string) => getSimulation({ ctx: operator.ctx, input: { simulationId } });

test("a simulation waits, runs with progress and an estimate, and keeps its result with version and seed", async () => {
  const simulationId = await start({ seed: 42 });
  expect(await get(simulationId)).toMatchObject({ state: "queued", seed: 42, progress: null, result: null });
  const { simulator, last } = fakeSimulator();
  const running = runNext(simulator);
  const { hooks, settle } = await last();
  installation.clock.advance(10_000);
  hooks.onProgress({ share: 0.25, eventCount: 1000, uploadCount: 10 });
  await vi.waitFor(async () => {
    const { state, progress } = await get(simulationId);
    expect({ state, progress }).toEqual({
      state: "running",
      progress: { share: 0.25, secondsLeft: 30, eventCount: 1000 },
    });
  });
  settle.resolve({ result, processorSeconds: 1.5 });
  expect(await running).toBe(true);
  expect(await get(simulationId)).toMatchObject({
    state: "succeeded",
    result,
    processorSeconds: 1.5,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    outcome: null,
  });
  expect(await runNext(simulator)).toBe(false);
});

test("cancelling ends a queued simulation at once and a running one through its worker, and a second cancellation is refused", async () => {
  const waiting = await start({}, "waits");
  await cancelSimulation({ ctx: operator.ctx, input: { simulationId: waiting } });
  expect(await get(waiting)).toMatchObject({
    state: "cancelled",
    outcome: "Cancelled by Olga before it began.",
  });
  const runs = await start({}, "runs");
  const { simulator, last } = fakeSimulator();
  const running = runNext(simulator);
  await last();
  await cancelSimulation({ ctx: operator.ctx, input: { simulationId: runs } });
  await running;
  expect(await get(runs)).toMatchObject({ state: "cancelled", outcome: "Cancelled by Olga.", result: null });
  await expect(cancelSimulation({ ctx: operator.ctx, input: { simulationId: runs } })).rejects.toMatchObject({
    code: "conflict",
  });
});

test("a worker that stops requeues its simulation, and that of a lost worker is taken over after its lease", async () => {
  const simulationId = await start();
  const stopping = new AbortController();
  const stopped = fakeSimulator();
  const giving = runNext(stopped.simulator, { stopping: stopping.signal });
  await stopped.last();
  stopping.abort();
  await giving;
  expect(await get(simulationId)).toMatchObject({ state: "queued" });

  const { db } = installation.platform;
  const where = { id: simulationId };
  const lost = { state: "running", claimedBy: "gone", attempts: 1 };
  const leaseUntil = new Date(installation.clock.now().getTime() + 30_000);
  await db.simulationRun.update({ where, data: { ...lost, leaseUntil } });
  const second = fakeSimulator();
  expect(await runNext(second.simulator)).toBe(false);
  installation.clock.advance(31_000);
  const running = runNext(second.simulator);
  (await second.last()).settle.resolve({ result, processorSeconds: 1 });
  await running;
  expect(await get(simulationId)).toMatchObject({ state: "succeeded" });
});

test("a worker that lost the lease writes nothing, and three lost workers fail the simulation", async () => {
  const simulationId = await start();
  const { db } = installation.platform;
  const { simulator, last } = fakeSimulator();
  const running = runNext(simulator);
  const { hooks } = await last();
  await db.simulationRun.update({ where: { id: simulationId }, data: { claimedBy: "another", attempts: 3 } });
  await running;
  expect(hooks.signal.aborted).toBe(true);
  expect(await get(simulationId)).toMatchObject({ state: "running" });
  installation.clock.advance(31_000);
  expect(await runNext(simulator)).toBe(false);
  expect(await get(simulationId)).toMatchObject({
    state: "failed",
    outcome: "The worker that ran it was lost 3 times.",
  });
});

test("a failed simulation has a reason, and a running one cannot be deleted", async () => {
  const simulationId = await start();
  const { simulator, last } = fakeSimulator();
  const running = runNext(simulator);
  const { settle } = await last();
  const remove = () => deleteSimulation({ ctx: operator.ctx, input: { simulationId } });
  await expect(remove()).rejects.toMatchObject({ code: "conflict" });
  settle.reject(new Error("it broke"));
  await running;
  expect(await get(simulationId)).toMatchObject({
    state: "failed",
    outcome: "The simulation failed: it broke",
  });
  await remove();
  await expect(get(simulationId)).rejects.toMatchObject({ code: "not_found" });
});

test("an impossible scenario is refused with a message for its field", async () => {
  const large = { durationSeconds: 10_000, exactUploadCountMax: 500_000 };
  await expect(start({ ...large, arrivals: { type: "steady", uploadsPerSecond: 49 } })).rejects.toMatchObject(
    {
      code: "invalid_input",
      field: "arrivals",
      message: expect.stringMatching(
        /^This would take about 71 million protocol events, and at most 60 million/,
      ),
    },
  );
  await expect(start({ stashDrive: { type: "catalogue", driveId: "none" } })).rejects.toMatchObject({
    code: "invalid_input",
    field: "stashDrive",
    message: expect.stringContaining('The catalogue has no SSD "none"'),
  });
});

test("starting a simulation keeps it and the newest 199 that have ended", async () => {
  const { db } = installation.platform;
  const row = (i: number) => ({
    id: crypto.randomUUID(),
    name: `old ${i}`,
    scenario: { seed: i },
    state: "succeeded",
    requestedById: "nobody",
    requestedByName: "nobody",
    createdAt: new Date(i),
  });
  await db.simulationRun.createMany({ data: Array.from({ length: 205 }, (_, i) => row(i)) });
  await start();
  const kept = await listSimulations({ ctx: operator.ctx });
  expect(kept).toHaveLength(200);
  expect(kept[0]).toMatchObject({ name: "Steady day" });
  expect(kept.at(-1)).toMatchObject({ name: "old 6" });
});

test("a thread runs a scenario and reports its progress, and a cancelled one ends within a second", async () => {
  const simulationId = await start({ durationSeconds: 20 });
  await runNext(threadSimulator);
  const { state, result: done, processorSeconds } = await get(simulationId);
  expect({ state, basis: done?.basis }).toEqual({ state: "succeeded", basis: "exact" });
  expect(done?.points).toHaveLength(20);
  expect(processorSeconds).toBeGreaterThan(0);

  const long = await start({ durationSeconds: 4000 });
  const running = runNext(threadSimulator);
  await vi.waitFor(async () => expect((await get(long)).progress?.share).toBeGreaterThan(0), 20_000);
  const askedMs = performance.now();
  await cancelSimulation({ ctx: operator.ctx, input: { simulationId: long } });
  await running;
  expect(performance.now() - askedMs).toBeLessThan(1000);
  expect(await get(long)).toMatchObject({ state: "cancelled" });
}, 180_000);

test("a vault without measurements has missing values instead of zeros", async () => {
  const live = await readLiveVault({ ctx: operator.ctx, input: { fromMs: 0, toMs: 1 } });
  expect(live).toMatchObject({ uploadsPerSecond: null, uploads: null, stashSync: null, stashDevices: null });
});
