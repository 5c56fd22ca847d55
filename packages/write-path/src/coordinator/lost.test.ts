/** Damage is no absence: what may have been acknowledged is lost at worst, and never dead. */
import { describe, expect, test } from "vitest";
import type { CoordinatorEffect } from "../effects.ts";
import type { PodProbeAnswer } from "../messages/index.ts";
import {
  addresseesOf,
  countTo,
  messagesOf,
  type ResolutionInTest,
  startedResolution,
  threePlusTwo,
  uploadOf,
} from "../testing/index.ts";

const upload = uploadOf(7);

/** The answers of the five pods of 3+2, then those of the five devices; each device keeps the shard of its number. */
function answered(pods: string, stash: string): { search: ResolutionInTest; effects: CoordinatorEffect[] } {
  const search = startedResolution();
  const answers: Record<string, PodProbeAnswer> = {
    D: "durable",
    w: "written",
    x: "damaged",
    k: "known",
    ".": "absent",
  };
  const askStash = () =>
    countTo(5).flatMap((deviceId) => {
      const sign = stash[deviceId];
      return search.stashProbed(deviceId, sign === "D" ? [deviceId] : [], sign === "x" ? [deviceId] : []);
    });
  const askPods = () =>
    countTo(5).flatMap((podIndex) => search.probed(podIndex, answers[pods[podIndex] as string] ?? "absent"));
  // A hopeless one is counted again, pods after the stash.
  return { search, effects: [...askStash(), ...askPods(), ...askPods()] };
}

const isNotedCommitted = (effects: readonly CoordinatorEffect[]) =>
  messagesOf(effects, "pod.note").some(({ message }) => message.outcome === "committed");
const asksAllToPromise = (effects: readonly CoordinatorEffect[]) =>
  messagesOf(effects, "pod.probe").some(({ message }) => message.refuse === "all");

describe("with k = 3, m = 2 and q = 4", () => {
  /** D durable, w written, x damaged, k known, . absent. */
  const rows: [pods: string, stash: string, outcome: "lost" | "hopeless" | "open"][] = [
    // Four of five shards are there or damaged: it may have been acknowledged.
    ["DDxx.", ".....", "lost"],
    ["xxxx.", ".....", "lost"],
    ["xxxxx", ".....", "lost"],
    ["Dxxxk", ".....", "lost"],
    ["kkkkk", "xxxx.", "lost"],
    ["Dkkkk", ".xxx.", "lost"],
    // Three are too few for an acknowledgement, and it was never shown.
    ["DDx..", ".....", "hopeless"],
    ["xxx..", ".....", "hopeless"],
    ["D.k.k", ".x...", "hopeless"],
    ["kkkkk", "xxx..", "hopeless"],
    // The same shard in two places counts once.
    ["DDx..", "..x..", "hopeless"],
    // Two pods and more that never heard of it could promise it away; who knows of it is asked for nothing.
    ["D....", ".xxx.", "open"],
  ];

  test.each(rows)("pods %s, stash %s: %s", (pods, stash, outcome) => {
    const { search, effects } = answered(pods, stash);
    expect({
      lost: isNotedCommitted(effects),
      hopeless: asksAllToPromise(effects),
      isRegistered: search.coordinator.state.lost.has(upload.uploadId),
    }).toEqual({
      lost: outcome === "lost",
      hopeless: outcome === "hopeless",
      isRegistered: outcome === "lost",
    });
  });

  test("a device that is silent may keep a shard, so nothing is lost or hopeless without it", () => {
    const search = startedResolution();
    for (const deviceId of countTo(4)) search.stashProbed(deviceId);
    const effects = countTo(5).flatMap((podIndex) =>
      search.probed(podIndex, podIndex < 2 ? "durable" : "damaged"),
    );
    expect([isNotedCommitted([...effects, ...search.timeout()]), asksAllToPromise(effects)]).toEqual([
      false,
      false,
    ]);
  });
});

test("the register says what became of each pod's shard, and forgets the upload once it is whole", () => {
  const { search } = answered("Dxxxk", ".....");
  const { state } = search.coordinator;
  expect(state.lost.get(upload.uploadId)?.shortage).toEqual({
    upload,
    readableCount: 1,
    neededCount: 3,
    shardCount: 5,
    damagedPods: [1, 2, 3],
    unreadablePods: [],
    missingPods: [4],
    silentPods: [],
  });
  for (const podIndex of countTo(5)) search.repaired(podIndex);
  expect(state.lost.size).toBe(0);
});

test("an empty object is rebuilt from the header that any one pod has", () => {
  const empty = uploadOf(7, { sizeBytes: 0 });
  const search = startedResolution(threePlusTwo, empty);
  const answers = countTo(5).flatMap((podIndex) =>
    search.probed(podIndex, podIndex === 0 ? "durable" : "damaged", { isCommitted: podIndex === 0 }),
  );
  const effects = [...answers, ...search.timeout()];
  expect([...new Set(addresseesOf(effects, "pod.append"))].sort()).toEqual(["p1", "p2", "p3", "p4"]);
  expect(addresseesOf(effects, "pod.load")).toEqual([]);
});
