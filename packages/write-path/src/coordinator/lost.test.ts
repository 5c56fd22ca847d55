/** Tests that damage is not absence: an upload that may have been acknowledged is lost at worst, and never dead. */
import { describe, expect, test } from "vitest";
import type { CoordinatorEffect } from "../effects.ts";
import type { PodProbeAnswer } from "../messages/index.ts";
import { type Scheme, schemes } from "../quorums.ts";
import {
  addresseesOf,
  countTo,
  messagesOf,
  type ResolutionInTest,
  startedResolution,
  threePlusTwo,
  uploadOf,
} from "../testing/index.ts";
import { describeShortage, noteLost } from "./lost.ts";

const upload = uploadOf(7);

const answersOfPods: Record<string, PodProbeAnswer> = {
  D: "durable",
  w: "written",
  x: "damaged",
  k: "known",
  r: "refused",
  ".": "absent",
};

/**
 * Applies the answers of the pods, then those of the devices; each device keeps the shard of its number. D durable, w
 * written, x damaged, k known, r promised, . absent, ? silent.
 */
function answered(
  pods: string,
  stash: string,
  scheme: Scheme = threePlusTwo,
): { search: ResolutionInTest; effects: CoordinatorEffect[] } {
  const search = startedResolution(scheme);
  const askStash = () =>
    [...stash].flatMap((sign, deviceId) =>
      sign === "?"
        ? []
        : search.stashProbed(deviceId, sign === "D" ? [deviceId] : [], sign === "x" ? [deviceId] : []),
    );
  const askPods = () =>
    [...pods].flatMap((sign, podIndex) => {
      const answer = answersOfPods[sign];
      return answer === undefined ? [] : search.probed(podIndex, answer);
    });
  // A hopeless upload is counted again: first the stash, then the pods.
  return { search, effects: [...askStash(), ...askPods(), ...search.timeout(), ...askPods()] };
}

const isNotedCommitted = (effects: readonly CoordinatorEffect[]) =>
  messagesOf(effects, "pod.note").some(({ message }) => message.outcome === "committed");
const promisesAskedOf = (effects: readonly CoordinatorEffect[]) => {
  const wishes = messagesOf(effects, "pod.probe").map(({ message }) => message.refuse);
  return (["all", "unknowing"] as const).find((wish) => wishes.includes(wish)) ?? "nobody";
};

type Outcome = "live" | "lost" | "hopeless" | "in progress" | "open";

function outcomeOf(pods: string, stash: string, scheme?: Scheme): Outcome {
  const { search, effects } = answered(pods, stash, scheme);
  const asked = promisesAskedOf(effects);
  if (search.coordinator.state.lost.has(upload.uploadId)) {
    // No note that it is committed: pods would then drop older versions, and this one may have failed.
    expect([isNotedCommitted(effects), asked]).toEqual([false, "nobody"]);
    return "lost";
  }
  if (asked !== "nobody") return asked === "all" ? "hopeless" : "in progress";
  const phase = search.resolution()?.phase ?? "live";
  return phase === "live" || phase === "pushing" ? "live" : "open";
}

describe("outcomes with k = 3, m = 2 and q = 4", () => {
  test.each<[pods: string, stash: string, Outcome]>([
    // The upload may have been acknowledged: then there were at least four headers, and at most m - 1 = 1 was lost.
    ["DDxx.", ".....", "lost"],
    ["xxxx.", ".....", "lost"],
    ["xxxxx", ".....", "lost"],
    ["Dxxxk", ".....", "lost"],
    ["kkkkk", "xxxx.", "lost"],
    ["Dkkkk", ".xxx.", "lost"],
    ["DDx..", ".....", "lost"],
    ["wwx..", ".....", "lost"],
    ["xxx..", ".....", "lost"],
    ["kkkkk", "xxx..", "lost"],
    ["DDx..", "..x..", "lost"],
    // Two headers are too few: an acknowledged upload would have three left.
    ["Dx...", ".....", "hopeless"],
    ["xx...", ".....", "hopeless"],
    ["D.k.k", ".x...", "hopeless"],
    ["kkkkk", "xx...", "hopeless"],
    // The same shard in two places counts once.
    ["Dx...", ".x...", "hopeless"],
    // At least three pods do not know the upload and could promise never to take it, so it is not called live either.
    ["D....", ".xxx.", "open"],
    [".....", "xxx..", "open"],
    ["xx...", "..x..", "open"],
    ["Dxr..", "..Dx.", "open"],
    // Three pods that do not know the upload have promised, or have no shard on the stash: an acknowledged upload has
    // at most two of these.
    ["Dxr..", "..D..", "in progress"],
    ["DDr..", "..x..", "in progress"],
    ["xxr..", "..x..", "in progress"],
    ["Dxrr.", "..Dx.", "in progress"],
    ["Dxr..", "..D.?", "open"],
    ["Dxr.?", "..D..", "open"],
    // Device 4 may keep a shard.
    ["DD...", "....?", "in progress"],
    ["Dx...", "....?", "open"],
    ["x....", "....?", "hopeless"],
    ["x....", "...??", "open"],
    ["DDx..", "....?", "open"],
    // Pod 4 may keep a shard too.
    ["Dxxx?", ".....", "open"],
    ["DD..?", ".....", "in progress"],
  ])("follow from pods %s and stash %s: %s", (pods, stash, outcome) => {
    expect(outcomeOf(pods, stash)).toBe(outcome);
  });

  test("no further promises are requested from pods that do not know an upload once damage is found", () => {
    const search = startedResolution();
    for (const deviceId of countTo(4)) search.stashProbed(deviceId);
    for (const podIndex of countTo(5)) search.probed(podIndex, podIndex < 2 ? "durable" : "absent");
    expect(promisesAskedOf(search.timeout())).toBe("unknowing");
    search.stashProbed(4, [], [4]);
    expect(promisesAskedOf(search.timeout())).toBe("nobody");
  });

  test("an upload is declared dead if a pod promised never to take it before the stash offered it a shard", () => {
    const { search } = answered("Dxr..", "..D..");
    const effects = [3, 4, 0].flatMap((podIndex) => search.probed(podIndex, "refused"));
    const proofs = messagesOf(effects, "pod.discard").map(({ message }) => message.proof);
    expect(proofs.at(-1)).toEqual({ type: "refused", by: [0, 2, 3, 4] });
    expect(search.resolution()).toBeUndefined();
  });

  test("an acknowledged upload is live or lost, never dead, for any rotten shards and any one lost header", () => {
    const counts = { live: 0, lost: 0 };
    // Possible state of a shard: good or damaged on its pod, good or damaged on the stash, or without its header.
    const signs = ["D.", "x.", "kD", "kx", ".."] as const;
    for (let mix = 0; mix < signs.length ** 5; mix += 1) {
      const shards = countTo(5).map((index) => signs[Math.floor(mix / signs.length ** index) % signs.length]);
      // One shard may never have been stored, and one header may have been lost since.
      if (shards.filter((sign) => sign === "..").length > 2) continue;
      const [pods, stash] = [0, 1].map((at) => shards.map((sign) => sign?.[at]).join(""));
      const goodCount = shards.filter((sign) => sign === "D." || sign === "kD").length;
      const outcome = goodCount >= 3 ? "live" : "lost";
      expect([pods, stash, outcomeOf(pods as string, stash as string)]).toEqual([pods, stash, outcome]);
      counts[outcome] += 1;
    }
    // C(5, absent) * 4^(5 - absent) for 0, 1 and 2 absent shards; half of the others are good.
    expect(counts.live + counts.lost).toBe(1024 + 1280 + 640);
    expect(counts.live).toBe(512 + 400 + 80);
  });
});

describe("outcomes with k = 16, m = 4 and q = 19", () => {
  const pods = (good: number, damaged: number, absent: number) =>
    ["D".repeat(good), "x".repeat(damaged), ".".repeat(absent)].join("");

  test.each<[absent: string, good: number, damaged: number, Outcome]>([
    ["the straggler", 16, 3, "live"],
    ["the straggler", 15, 4, "lost"],
    ["the straggler and one lost header", 15, 3, "lost"],
    ["the straggler and two lost headers", 15, 2, "lost"],
    ["the straggler and three lost headers", 16, 0, "live"],
    ["the straggler and three lost headers", 15, 1, "lost"],
    ["the straggler and three lost headers", 0, 16, "lost"],
    ["more than an acknowledged upload", 14, 1, "hopeless"],
    ["more than an acknowledged upload", 0, 15, "hopeless"],
  ])("without %s, from %i good and %i damaged shards, are %s", (_absent, good, damaged, outcome) => {
    expect(outcomeOf(pods(good, damaged, 20 - good - damaged), ".".repeat(20), schemes["16+4"])).toBe(
      outcome,
    );
  });
});

describe("a committed object is registered as lost once every node has given a final answer", () => {
  test.each([
    ["all nodes", [], [], [], true],
    ["all nodes but a pod", [4], [], [], false],
    ["all nodes but a device", [], [4], [], false],
    ["all nodes, while a pod is not settled", [], [], [4], false],
  ] as const)("after answers from %s", (_nodes, silentPods, silentDevices, unsettledPods, isNoted) => {
    const search = startedResolution();
    const includes = (list: readonly number[], id: number) => list.includes(id);
    for (const id of countTo(5)) if (!includes(silentDevices, id)) search.stashProbed(id);
    for (const id of countTo(5)) {
      const more = { isCommitted: true, isSettled: !includes(unsettledPods, id) };
      if (!includes(silentPods, id)) search.probed(id, "damaged", more);
    }
    search.timeout();
    expect(search.coordinator.state.lost.has(upload.uploadId)).toBe(isNoted);
  });
});

test("a lost object's state is recorded per pod, and forgotten once the object is whole", () => {
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
  // Pods keep asking about the upload, but nodes are asked only twice a minute.
  const askAgain = () => search.coordinator.hear("p1", { type: "coordinator.resolve", upload });
  expect(askAgain()).toEqual([]);
  search.coordinator.nowMs += 30_000;
  expect(addresseesOf(askAgain(), "pod.probe")).toHaveLength(5);
  for (const podIndex of countTo(5)) search.probed(podIndex, "durable");
  expect(state.lost.size).toBe(0);
});

test("a version below a lost one waits for it without asking all nodes every half second", () => {
  const below = uploadOf(3);
  const search = startedResolution(threePlusTwo, below);
  const { coordinator } = search;
  noteLost(
    coordinator.state,
    describeShortage(coordinator.state, upload, 0, () => "damaged"),
    coordinator.nowMs,
  );
  /** Every pod holds its shard and has flushed none, so shards are pushed, and a pod refuses. */
  const refusePush = () => {
    for (const podIndex of countTo(5)) search.probed(podIndex, "written");
    search.timeout();
    expect(search.resolution()?.phase).toBe("pushing");
    return coordinator.hear("p2", {
      type: "coordinator.podRefused",
      uploadId: below.uploadId,
      podIndex: 2,
      bootId: 1,
      reason: "order",
      present: { upload, holds: "known", isCommitted: false },
      highestOrder: upload.order,
    });
  };
  expect(refusePush()).toEqual([]);
  expect(coordinator.state.resolutions.size).toBe(0);
  // The lost upload may have been restored, so it is asked about first.
  coordinator.nowMs += 30_000;
  coordinator.hear("p1", { type: "coordinator.resolve", upload: below });
  const askedAbout = messagesOf(refusePush(), "pod.probe").map(({ message }) => message.upload.uploadId);
  expect([...new Set(askedAbout)]).toEqual([upload.uploadId]);
  expect(coordinator.state.resolutions.size).toBe(2);
});

test("an empty object is rebuilt from the header of any one pod", () => {
  const empty = uploadOf(7, { sizeBytes: 0 });
  const search = startedResolution(threePlusTwo, empty);
  const answers = countTo(5).flatMap((podIndex) =>
    search.probed(podIndex, podIndex === 0 ? "durable" : "damaged", { isCommitted: podIndex === 0 }),
  );
  const effects = [...answers, ...search.timeout()];
  expect([...new Set(addresseesOf(effects, "pod.append"))].sort()).toEqual(["p1", "p2", "p3", "p4"]);
  expect(addresseesOf(effects, "pod.load")).toEqual([]);
});
