import { createRecorder, type PostTracesResult, type TraceSnapshot } from "@stashlight/telemetry";
import { expect, test } from "vitest";
import { SETTLED_AFTER_MS, TRACES_PER_POST_MAX, TraceSender } from "./trace-sender.ts";

const makeTrace = (uploadId: string, startedAtMs: number, totalUs = 5_000): TraceSnapshot => ({
  uploadId,
  bucket: "photos",
  sizeBytes: 1,
  path: "stash",
  result: "stored",
  startedAtMs,
  totalUs,
  keptBecause: ["sampled"],
  verify: { startUs: null, endUs: null },
  encode: { startUs: null, endUs: null },
  podQuorumUs: null,
  stashQuorumUs: null,
  quorumUs: null,
  shards: [],
});

function startSender() {
  const state = {
    nowMs: 1_000_000,
    kept: [] as TraceSnapshot[],
    posts: [] as string[][],
    result: { type: "accepted" } as PostTracesResult,
  };
  const recorder = createRecorder({ nowMs: () => state.nowMs });
  const sender = new TraceSender({
    kept: () => state.kept,
    post: async (traces) => {
      state.posts.push(traces.map(({ uploadId }) => uploadId));
      return state.result;
    },
    recorder,
    nowMs: () => state.nowMs,
  });
  const dropped = () =>
    Object.fromEntries(
      recorder
        .takeWindow()
        .counters.filter(({ metric }) => metric === "stashlight_agent_traces_dropped_total")
        .map(({ labels, total }) => [labels.reason, total]),
    );
  return { state, sender, dropped };
}

test("a retained upload is sent once, although both lists keep it", async () => {
  const { state, sender } = startSender();
  const old = makeTrace("a", state.nowMs - 60_000);
  state.kept = [old, old];
  await sender.send();
  state.kept = [old, makeTrace("b", state.nowMs - 50_000)];
  await sender.send();
  await sender.send();
  expect(state.posts).toEqual([["a"], ["b"]]);
});

test("the trace of an upload that was just answered waits for its last shards", async () => {
  const { state, sender } = startSender();
  state.kept = [makeTrace("a", state.nowMs - 10)];
  await sender.send();
  expect(state.posts).toEqual([]);
  state.nowMs += SETTLED_AFTER_MS;
  await sender.send();
  expect(state.posts).toEqual([["a"]]);
});

test("traces that cannot be delivered are dropped and counted", async () => {
  const { state, sender, dropped } = startSender();
  state.kept = [makeTrace("a", 0)];
  state.result = { type: "unreachable", reason: "The network is down." };
  await sender.send();
  state.result = { type: "accepted" };
  await sender.send();
  expect(state.posts).toEqual([["a"]]);
  expect(dropped()).toEqual({ unreachable: 1 });
});

test("if there are more traces than fit into a post, the slowest are sent and the others are counted", async () => {
  const { state, sender, dropped } = startSender();
  const count = TRACES_PER_POST_MAX + 10;
  state.kept = Array.from({ length: count }, (_, i) => makeTrace(`u${i}`, 0, i));
  await sender.send();
  expect(state.posts[0]).toHaveLength(TRACES_PER_POST_MAX);
  expect(state.posts[0]?.[0]).toBe(`u${count - 1}`);
  expect(dropped()).toEqual({ "too many": 10 });
});
