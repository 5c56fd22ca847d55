import { describe, expect, test } from "vitest";
import type { CoordinatorEffect, ListOutcome } from "../effects.ts";
import { digestOfPage } from "../list-digest.ts";
import { type PodProbeAnswer, podAddress, stashAddress, type VersionView } from "../messages/index.ts";
import type { UploadHeader } from "../shard.ts";
import {
  addresseesOf,
  countTo,
  greetedCoordinator,
  messagesOf,
  threePlusTwo,
  twoPlusOne,
  uploadOf,
  vaultOf,
} from "../testing/index.ts";
import { LOWEST_ORDER } from "../version-order.ts";
import { LIST_DEADLINE_MS, mergeVersions } from "./list-objects.ts";
import { RESOLVE_DEADLINE_MS } from "./resolve-outcome.ts";

/** Returns version `number` of a key. */
const version = (key: string, number: number, changes: Partial<UploadHeader> = {}) =>
  uploadOf(number, { key, ...changes });

const part = (uploads: readonly UploadHeader[], truncatedAfter: string | null = null) => {
  return { versions: uploads.map((upload) => ({ upload })), truncatedAfter };
};

const a1 = version("a", 1);
const a2 = version("a", 2);
const b3 = version("b", 3);
const c4 = version("c", 4);
const d5 = version("d", 5);

describe("a list merges the answers into one version per key, in key order", () => {
  const rows: [string, ReturnType<typeof part>[], string[], UploadHeader[], string | null][] = [
    ["nothing", [], [], [], null],
    ["the union", [part([c4]), part([a1]), part([b3])], [], [a1, b3, c4], null],
    ["the highest version of each", [part([a2, b3]), part([a1])], [], [a2, b3], null],
    ["the highest that is not dead", [part([a2, a1])], [a2.uploadId], [a1], null],
    ["a key whose every version is dead", [part([a2, b3])], [a2.uploadId], [b3], null],
    [
      "up to the end of the shortest answer",
      [part([a1, b3], "b"), part([a1, b3, c4, d5])],
      [],
      [a1, b3],
      "b",
    ],
    ["two truncated answers", [part([a1, c4], "c"), part([a2, b3], "b")], [], [a2, b3], "b"],
    ["an answer truncated before the others begin", [part([a1], "a"), part([b3])], [], [a1], "a"],
  ];
  test.each(rows)("for “%s”", (_what, parts, dead, tops, truncatedAfter) => {
    for (const each of [parts, parts.toReversed()]) {
      expect(mergeVersions(each, (uploadId) => dead.includes(uploadId))).toEqual({ tops, truncatedAfter });
    }
  });
});

const outcomesIn = (effects: readonly CoordinatorEffect[]): ListOutcome[] =>
  effects.flatMap((effect) => (effect.type === "answerList" ? [effect.outcome] : []));

const committed = (...uploads: readonly UploadHeader[]): VersionView[] =>
  uploads.map((upload) => ({ upload, holds: "durable", isCommitted: true }));
const open = (upload: UploadHeader): VersionView => ({ upload, holds: "written", isCommitted: false });

function startedList(scheme = twoPlusOne, keyCountMax = 10) {
  const coordinator = greetedCoordinator(vaultOf(scheme));
  const question = { bucket: "photos", prefix: "", after: "", keyCountMax, delimiter: "" };
  const effects = coordinator.take({ type: "list", token: 1, ...question });
  const requestId = () => [...coordinator.state.listings.keys()][0] ?? -1;
  const first = requestId();
  return {
    coordinator,
    effects,
    requestId,
    listed(
      podIndex: number,
      versions: readonly VersionView[],
      truncatedAfter: string | null = null,
      isSettled = true,
    ) {
      const message = { type: "coordinator.listed", requestId: requestId(), podIndex, isSettled } as const;
      return coordinator.hear(podAddress(podIndex), { ...message, versions, truncatedAfter, delimiter: "" });
    },
    alike(podIndex: number, versions: readonly VersionView[], truncatedAfter: string | null = null) {
      const digest = digestOfPage({ versions, truncatedAfter, delimiter: "" });
      const message = { type: "coordinator.listedAlike", requestId: requestId(), podIndex } as const;
      return coordinator.hear(podAddress(podIndex), { ...message, isSettled: true, digest });
    },
    stashListed(deviceId: number, uploads: readonly UploadHeader[]) {
      const message = { type: "coordinator.stashListed", requestId: requestId(), deviceId, uploads } as const;
      return coordinator.hear(stashAddress(deviceId), { ...message, truncatedAfter: null });
    },
    timeout(afterMs = 100) {
      coordinator.nowMs += afterMs;
      return coordinator.take({ type: "timer", key: `list:${first}` });
    },
    resolved(
      upload: UploadHeader,
      answer: PodProbeAnswer,
      committedOrder = LOWEST_ORDER,
    ): CoordinatorEffect[] {
      return countTo(coordinator.state.pods.length).flatMap((podIndex) => {
        const probeId = coordinator.state.resolutions.get(upload.uploadId)?.requestId ?? -1;
        const message = {
          type: "coordinator.probed",
          requestId: probeId,
          podIndex,
          bootId: 1,
          answer,
        } as const;
        const more = { isSettled: true, isCommitted: false, committedOrder };
        return coordinator.hear(podAddress(podIndex), { ...message, ...more });
      });
    },
  };
}

const isBriefByPod = (effects: readonly CoordinatorEffect[]): [string, boolean][] =>
  messagesOf(effects, "pod.list").map(({ to, message }) => [to, message.isBrief]);

const page = (uploads: readonly UploadHeader[], truncatedAfter: string | null = null): ListOutcome => {
  return { type: "listed", uploads, truncatedAfter };
};

describe("the pods of a list", () => {
  test("are asked for one page and for digests, and an equal digest counts as the page", () => {
    const list = startedList(threePlusTwo);
    expect(isBriefByPod(list.effects).filter(([, isBrief]) => !isBrief)).toHaveLength(1);
    expect(list.alike(0, committed(a1, c4))).toEqual([]);
    expect(list.listed(1, committed(a1, c4))).toEqual([]);
    expect(outcomesIn(list.alike(2, committed(a1, c4)))).toEqual([page([a1, c4])]);
  });

  test.each([
    ["other versions", committed(a1, c4), null],
    ["a version whose end it does not know", [...committed(a1), open(b3)], null],
    ["an end after the last key", committed(a1, b3), "b"],
  ])(
    "are asked for their page if their digest covers %s, and the digest does not count",
    (_what, versions, truncatedAfter) => {
      const list = startedList(threePlusTwo);
      list.listed(0, committed(a1, b3));
      list.alike(1, committed(a1, b3));
      const effects = list.alike(2, versions, truncatedAfter);
      expect(isBriefByPod(effects)).toEqual([["p2", false]]);
      expect(outcomesIn(effects)).toEqual([]);
      expect(outcomesIn(list.listed(2, committed(a1, b3, c4)))).toEqual([page([a1, b3, c4])]);
    },
  );

  test("are all asked for their page if only digests have arrived after a while", () => {
    const list = startedList(threePlusTwo);
    for (const pod of [0, 1, 2]) expect(list.alike(pod, committed(a1))).toEqual([]);
    expect(isBriefByPod(list.timeout()).map(([, isBrief]) => isBrief)).toEqual(countTo(5).map(() => false));
    expect(outcomesIn(list.listed(4, committed(a1)))).toEqual([page([a1])]);
  });
});

test("a list is the union of the uploads that m + 1 settled pods know", () => {
  const list = startedList(threePlusTwo);
  expect(addresseesOf(list.effects, "pod.list")).toHaveLength(3);
  expect(list.listed(0, committed(a1))).toEqual([]);
  expect(list.listed(1, committed(a2, c4))).toEqual([]);
  expect(list.listed(1, committed(a2, c4))).toEqual([]);
  expect(outcomesIn(list.listed(4, committed(b3)))).toEqual([page([a2, b3, c4])]);
  expect(list.coordinator.state.listings.size).toBe(0);
});

test("a list shows an upload that one pod knows to be committed, even if the others do not know that", () => {
  const list = startedList(threePlusTwo);
  list.listed(0, [open(a1), ...committed(b3)]);
  list.listed(1, committed(a1, b3));
  expect(outcomesIn(list.listed(2, [open(a1), open(b3)]))).toEqual([page([a1, b3])]);
});

test("a list needs the stash while pods are not settled, and includes shards there that no pod has pulled yet", () => {
  const list = startedList();
  for (const podIndex of countTo(3)) expect(list.listed(podIndex, committed(a1), null, false)).toEqual([]);
  expect(addresseesOf(list.timeout(), "stash.list")).toEqual(["s0", "s1", "s2"]);
  list.stashListed(0, []);
  list.stashListed(1, []);
  const effects = list.stashListed(2, [b3]);
  expect(outcomesIn(effects)).toEqual([]);
  expect(outcomesIn(list.resolved(b3, "durable"))).toEqual([page([a1, b3])]);
});

describe("a page of a list", () => {
  test("has at most the requested number of keys, and names the place where it ends", () => {
    const list = startedList(twoPlusOne, 2);
    list.listed(0, committed(a1, b3), "b");
    expect(outcomesIn(list.listed(1, committed(b3, c4), "c"))).toEqual([page([a1, b3], "b")]);
  });

  test("is truncated if there are more objects than requested", () => {
    const list = startedList(twoPlusOne, 2);
    list.listed(0, committed(a1, b3));
    expect(outcomesIn(list.listed(1, committed(c4)))).toEqual([page([a1, b3], "b")]);
  });

  test("hides deleted objects, and may be empty although more follows", () => {
    const list = startedList(twoPlusOne, 1);
    const deleted = version("a", 9, { kind: "tombstone" });
    list.listed(0, committed(deleted), "a");
    expect(outcomesIn(list.listed(1, committed(a1), "a"))).toEqual([page([], "a")]);
  });
});

describe("an uncommitted version is proved before a list shows it", () => {
  function resolving() {
    const list = startedList();
    list.listed(0, [open(a2), ...committed(b3)]);
    const effects = list.listed(1, committed(a1, b3));
    expect(outcomesIn(effects)).toEqual([]);
    expect(messagesOf(effects, "pod.probe").map(({ message }) => message.upload)).toEqual([a2, a2, a2]);
    return list;
  }

  test("lists the version if it is alive", () => {
    expect(outcomesIn(resolving().resolved(a2, "durable"))).toEqual([page([a2, b3])]);
  });

  test("lists the version below if it is dead", () => {
    expect(outcomesIn(resolving().resolved(a2, "refused"))).toEqual([page([a1, b3])]);
  });

  test("queries the pods again if it was superseded, because their answers are out of date", () => {
    const list = resolving();
    const before = list.requestId();
    const effects = list.resolved(a2, "superseded", uploadOf(9).order);
    expect(outcomesIn(effects)).toEqual([]);
    expect(addresseesOf(effects, "pod.list")).toHaveLength(2);
    expect(list.requestId()).not.toBe(before);
    const newest = version("a", 9);
    list.listed(0, committed(newest));
    expect(outcomesIn(list.listed(1, committed(newest, b3)))).toEqual([page([newest, b3])]);
  });

  test("answers 503 if there is no proof in time", () => {
    const list = resolving();
    list.coordinator.nowMs += RESOLVE_DEADLINE_MS;
    const effects = list.coordinator.take({ type: "timer", key: `resolve:${a2.uploadId}` });
    expect(outcomesIn(effects)).toEqual([{ type: "unavailable" }]);
  });

  test("later answers do not change a list while a version is being proved", () => {
    const list = resolving();
    expect(list.listed(2, committed(d5))).toEqual([]);
    expect(list.stashListed(0, [d5])).toEqual([]);
    expect(addresseesOf(list.timeout(), "pod.list")).toEqual([]);
    expect(outcomesIn(list.resolved(a2, "durable"))).toEqual([page([a2, b3])]);
  });

  test("several uncommitted versions are all proved before any is listed, and none is proved twice", () => {
    const list = startedList();
    list.listed(0, [open(a2), open(c4)]);
    const effects = list.listed(1, committed(b3));
    expect(new Set(messagesOf(effects, "pod.probe").map(({ message }) => message.upload))).toEqual(
      new Set([a2, c4]),
    );
    expect(outcomesIn(list.resolved(c4, "refused"))).toEqual([]);
    expect(outcomesIn(list.resolved(a2, "durable"))).toEqual([page([a2, b3])]);
  });
});

test("a list without enough answers fails with 503 at its deadline, and not before", () => {
  const list = startedList();
  list.listed(0, committed(a1));
  expect(addresseesOf(list.timeout(), "pod.list")).toHaveLength(3);
  expect(outcomesIn(list.timeout(LIST_DEADLINE_MS - 101))).toEqual([]);
  expect(outcomesIn(list.timeout(1))).toEqual([{ type: "unavailable" }]);
  expect(list.listed(1, committed(a1))).toEqual([]);
  expect(list.timeout()).toEqual([]);
});
