import { type DecodedBatch, decodeBatch, type PostResult } from "@stashlight/telemetry";
import { expect, test } from "vitest";
import { SimulatedAgent } from "./agent.ts";
import { WINDOW_MS } from "./depths.ts";
import { silenceBefore } from "./node-life.ts";
import { planFleet } from "./plan.ts";

const startMs = Date.parse("2026-03-04T10:00:00Z");
const accepted: PostResult = { type: "accepted", skewMs: 0 };
const fleet = planFleet(28);

function agentOf(index: number, answer: () => PostResult, fromMs = startMs) {
  const node = fleet[index] as (typeof fleet)[number];
  const clock = { nowMs: startMs };
  const batches: DecodedBatch[] = [];
  const agent = new SimulatedAgent({
    node,
    fromMs,
    nowMs: () => clock.nowMs,
    post: async (bytes) => {
      const { batch, refusals } = decodeBatch(bytes);
      expect(refusals).toEqual([]);
      batches.push(batch);
      return answer();
    },
    onRefused: (reason) => expect.unreachable(reason),
  });
  return { agent, batches, clock, node };
}

test.each(fleet.map(({ name, index }) => [name, index] as const))(
  "%s sends consecutive windows with totals that never decrease, and every batch is decoded completely",
  async (_, index) => {
    const { agent, batches, clock } = agentOf(index, () => accepted);
    for (let i = 1; i <= 3; i += 1) {
      clock.nowMs = startMs + i * WINDOW_MS + 100;
      await agent.turn();
    }
    expect(batches.map(({ sequence, window }) => [sequence, window.endMs - startMs])).toEqual([
      [1, WINDOW_MS],
      [2, 2 * WINDOW_MS],
      [3, 3 * WINDOW_MS],
    ]);
    const total = (i: number) => batches.map(({ window }) => window.counters[i]?.total ?? 0);
    for (const [i] of (batches[0]?.window.counters ?? []).entries()) {
      expect(total(i)).toEqual(total(i).toSorted((a, b) => a - b));
    }
  },
);

test("windows end at multiples of ten seconds even if the agent was started in between", async () => {
  const { agent, batches, clock } = agentOf(1, () => accepted, startMs + 3_456);
  clock.nowMs = startMs + 2 * WINDOW_MS + 100;
  await agent.turn();
  expect(batches.map(({ window }) => window.endMs - startMs)).toEqual([WINDOW_MS, 2 * WINDOW_MS]);
});

test("an unacknowledged window is sent again unchanged, and none is left out", async () => {
  let answer: PostResult = { type: "unreachable", reason: "away" };
  const { agent, batches, clock } = agentOf(1, () => answer);
  clock.nowMs = startMs + 2 * WINDOW_MS;
  await agent.turn();
  answer = accepted;
  clock.nowMs += 15_000;
  await agent.turn();
  expect(batches[1]).toEqual(batches[0]);
  expect(batches.map(({ sequence }) => sequence)).toEqual([1, 1, 2, 3]);
});

test("at most an hour of windows is queued, and a batch reports older ones as lost", async () => {
  let answer: PostResult = { type: "unreachable", reason: "away" };
  const { agent, batches, clock } = agentOf(1, () => answer);
  clock.nowMs = startMs + WINDOW_MS;
  await agent.turn();
  clock.nowMs = startMs + 370 * WINDOW_MS;
  await agent.turn();
  answer = accepted;
  clock.nowMs += WINDOW_MS;
  await agent.turn();
  expect(new Set(batches.map(({ window }) => window.endMs)).size).toBe(360);
  expect(batches.flatMap(({ gaps }) => gaps)).toHaveLength(11);
});

test("a node that was offline reports the lost time when it is back", async () => {
  const silent = fleet.find(
    ({ index }) => silenceBefore(fleet[index] as never, startMs + 6 * 86_400_000) !== null,
  );
  const { node } = agentOf(silent?.index ?? 0, () => accepted);
  const silence = silenceBefore(node, startMs + 6 * 86_400_000);
  if (silence === null) throw new Error("No node of this fleet is silent.");
  const batches: DecodedBatch[] = [];
  let nowMs = silence.startMs - WINDOW_MS;
  const agent = new SimulatedAgent({
    node,
    fromMs: Math.floor(nowMs / WINDOW_MS) * WINDOW_MS,
    nowMs: () => nowMs,
    post: async (bytes) => {
      batches.push(decodeBatch(bytes).batch);
      return accepted;
    },
    onRefused: (reason) => expect.unreachable(reason),
  });
  for (; nowMs < silence.endMs + 2 * WINDOW_MS; nowMs += WINDOW_MS) await agent.turn();
  expect(batches.flatMap(({ gaps }) => gaps)).toEqual([{ ...silence, reason: "spool_full" }]);
  const during = batches.filter(
    ({ window }) => window.endMs >= silence.startMs && window.endMs < silence.endMs,
  );
  expect(during).toEqual([]);
});
