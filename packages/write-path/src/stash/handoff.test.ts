import { describe, expect, test } from "vitest";
import type { ShardRead } from "../effects.ts";
import { FAULT_PASSES_WITHIN_MS } from "../fault-patience.ts";
import type { Address, PodIdentity } from "../messages/index.ts";
import type { Shard } from "../shard.ts";
import {
  appended,
  countTo,
  expectRefusal,
  identityOf,
  loggedOf,
  messagesOf,
  purgeOf,
  type StashMachine,
  send,
  servingStash,
  shardOf,
  startedStash,
  stashAppendOf,
  uploadOf,
} from "../testing/index.ts";
import { OFFER_AFTER_MS } from "./handoff.ts";
import type { StashRefusal } from "./state.ts";

const shardsOf = (podIndex: number, count: number) =>
  countTo(count).map((number) => shardOf(uploadOf(number + 1), podIndex));

const pullOf = (pod: PodIdentity, cursor = 0) => ({ type: "stash.pull", pod, cursor }) as const;

const readOf = (shard: Shard | null): ShardRead =>
  shard === null ? { type: "corrupt" } : { type: "shard", shard };

/** Lets the log read the requested shards; `lost` fails its checksum. Returns the messages sent then. */
function readAll(
  stash: StashMachine,
  effects: readonly { type: string }[],
  all: readonly Shard[],
  lost?: Shard,
) {
  const said = effects.filter((effect) => effect.type !== "load");
  for (const effect of effects as { type: string; loadId: number; position: string }[]) {
    if (effect.type !== "load") continue;
    const shard = all.find((each) => loggedOf(each).position === effect.position) ?? null;
    const read = readOf(shard === lost ? null : shard);
    said.push(...stash.take({ type: "loaded", loadId: effect.loadId, read }));
  }
  return said;
}

test("a starting pod gets all shards kept for it in pages, and the last page is marked", () => {
  const kept = shardsOf(1, 19);
  const all = [...kept, ...shardsOf(2, 3)];
  const stash = startedStash(all.map(loggedOf));
  const got: Shard[] = [];
  const pages: number[] = [];
  let cursor = 0;
  for (let isLast = false; !isLast; ) {
    const said = readAll(stash, stash.hear("p1", pullOf(identityOf(1), cursor)), all);
    const [handoff] = messagesOf(said, "pod.handoff");
    expect(handoff).toMatchObject({ to: "p1", message: { deviceId: 0, bootId: 1 } });
    pages.push(handoff?.message.shards.length ?? 0);
    got.push(...(handoff?.message.shards ?? []));
    expect(handoff?.message.cursor).toBeGreaterThan(cursor);
    cursor = handoff?.message.cursor ?? 0;
    isLast = handoff?.message.isLast ?? true;
  }
  expect(pages).toEqual([8, 8, 3]);
  expect(got).toEqual(kept);
});

test("a pod without kept shards is notified at once", () => {
  const stash = startedStash();
  expect(stash.hear("p1", pullOf(identityOf(1)))).toEqual([
    send("p1", {
      type: "pod.handoff",
      deviceId: 0,
      bootId: 1,
      shards: [],
      damaged: [],
      cursor: 0,
      isLast: true,
    }),
  ]);
});

test("no shard arrives after a pull: its last page waits for running writes, and writes of an earlier boot are refused", () => {
  const stash = servingStash();
  const [first, second] = shardsOf(1, 2) as [Shard, Shard];
  stash.hear("c0", stashAppendOf(first));
  const pull = pullOf(identityOf(1, 2));
  expect(messagesOf(stash.hear("p1", pull), "pod.handoff")[0]?.message).toMatchObject({
    shards: [],
    isLast: false,
  });
  expect(stash.hear("c0", stashAppendOf(second, 1))).toMatchObject([
    { message: { result: "rebooted", podBootId: 2 } },
  ]);
  stash.take(appended(first));
  const said = readAll(stash, stash.hear("p1", pull), [first]);
  expect(messagesOf(said, "pod.handoff")[0]?.message).toMatchObject({ shards: [first], isLast: true });
});

test("at most 256 shards are read at a time, and a node without an answer asks again", () => {
  const stash = startedStash(shardsOf(1, 8).map(loggedOf));
  const pull = () => stash.hear("p1", pullOf(identityOf(1)));
  const loads = countTo(32).flatMap(pull);
  expect(loads.filter(({ type }) => type === "load")).toHaveLength(256);
  expect(expectRefusal(stash, "load while too many are being read", pull)).toEqual([]);
  expect(messagesOf(readAll(stash, loads, shardsOf(1, 8)), "pod.handoff")).toHaveLength(32);
  expect(pull().filter(({ type }) => type === "load")).toHaveLength(8);
});

describe("a pull of a stranger is refused and counted, and announces no pod", () => {
  const rows: [StashRefusal, Address, PodIdentity][] = [
    ["pull of another pod's shards", "p2", identityOf(1, 2)],
    ["pull of another pod's shards", "c0", identityOf(1, 2)],
    ["pull from another drive", "p1", { podIndex: 1, driveId: "drive-old", bootId: 2 }],
    ["pull from another drive", "p7", { podIndex: 7, driveId: "drive-7", bootId: 2 }],
    ["pull from an earlier boot", "p1", identityOf(1, 0)],
  ];
  test.each(rows)("when it is a %s (from %s)", (reason, from, pod) => {
    const stash = servingStash(shardsOf(1, 1).map(loggedOf));
    expect(expectRefusal(stash, reason, () => stash.hear(from, pullOf(pod)))).toEqual([]);
  });
});

describe("a shard that is not purged", () => {
  const offer = { type: "timer", key: "offer" } as const;
  const shards = [...shardsOf(1, 2), ...shardsOf(2, 1)];
  const again = { type: "setTimer", key: "offer", delayMs: 10_000 };

  test("is offered to its pod after half a minute, and again half a minute later, until it is purged", () => {
    const stash = servingStash(shards.map(loggedOf));
    stash.nowMs = OFFER_AFTER_MS - 1;
    expect(stash.take(offer)).toEqual([again]);
    stash.nowMs = OFFER_AFTER_MS;
    const offered = messagesOf(readAll(stash, stash.take(offer), shards), "pod.handoff");
    expect(offered).toEqual([
      {
        to: "p1",
        message: {
          type: "pod.handoff",
          deviceId: 0,
          bootId: 1,
          shards: shards.slice(0, 2),
          damaged: [],
          cursor: null,
          isLast: false,
        },
      },
      {
        to: "p2",
        message: {
          type: "pod.handoff",
          deviceId: 0,
          bootId: 1,
          shards: shards.slice(2),
          damaged: [],
          cursor: null,
          isLast: false,
        },
      },
    ]);
    stash.hear("p1", purgeOf(1, shards.slice(0, 2)));
    stash.nowMs += OFFER_AFTER_MS - 1;
    expect(stash.take(offer)).toEqual([again]);
    stash.nowMs += 1;
    expect(messagesOf(readAll(stash, stash.take(offer), shards), "pod.handoff").map(({ to }) => to)).toEqual([
      "p2",
    ]);
  });

  test("is not offered to a boot that was never announced: the pod is asked for its identity", () => {
    const stash = startedStash(shards.map(loggedOf));
    stash.nowMs = OFFER_AFTER_MS;
    expect(stash.take(offer)).toEqual([
      again,
      send("p1", { type: "pod.announce", deviceId: 0 }),
      send("p2", { type: "pod.announce", deviceId: 0 }),
    ]);
  });

  test("is offered a page at a time", () => {
    const many = shardsOf(1, 9);
    const stash = servingStash(many.map(loggedOf));
    stash.nowMs = OFFER_AFTER_MS;
    expect(stash.take(offer)).toHaveLength(1 + 8);
    expect(stash.take(offer)).toHaveLength(1 + 1);
    expect(stash.take(offer)).toHaveLength(1);
  });

  test("is offered in turn, two damaged shards per page, even if its pod purges none of them", () => {
    const [good, bad] = [shardsOf(1, 60).slice(0, 30), shardsOf(1, 60).slice(30)];
    const stash = servingStash([
      ...good.map(loggedOf),
      ...bad.map((shard) => ({ ...loggedOf(shard), isDamaged: true })),
    ]);
    const offered = countTo(15).map((turn) => {
      stash.nowMs = OFFER_AFTER_MS + turn * 10_000;
      const [handoff] = messagesOf(readAll(stash, stash.take(offer), good), "pod.handoff");
      return handoff?.message ?? { shards: [], damaged: [] };
    });
    expect(offered.slice(0, 5).flatMap(({ shards }) => shards)).toEqual(good);
    expect(offered.flatMap(({ damaged }) => damaged.map(({ upload }) => upload))).toEqual(
      bad.map(({ upload }) => upload),
    );
  });

  test("is pulled in order of arrival once it has been offered", () => {
    const many = shardsOf(1, 19);
    const stash = servingStash(many.map(loggedOf));
    stash.nowMs = OFFER_AFTER_MS;
    readAll(stash, stash.take(offer), many);
    let cursor = 0;
    const pulled = countTo(3).flatMap(() => {
      const said = readAll(stash, stash.hear("p1", pullOf(identityOf(1), cursor)), many);
      const [handoff] = messagesOf(said, "pod.handoff");
      cursor = handoff?.message.cursor ?? 0;
      return handoff?.message.shards ?? [];
    });
    expect(pulled).toEqual(many);
  });

  describe("that cannot be read", () => {
    const bad = shardsOf(1, 30);
    const good = shardOf(uploadOf(31), 1);
    const isHandedOver = (said: readonly { type: string }[]) =>
      messagesOf(said, "pod.handoff").some(({ message }) => message.shards.length > 0);

    test.each([{ read: { type: "corrupt" } }, { read: { type: "unreadable" } }] as const)(
      "is offered after readable ones: $read.type shards that fill every page",
      ({ read }) => {
        const stash = servingStash(bad.map(loggedOf));
        const answer = (effects: ReturnType<StashMachine["take"]>) =>
          effects.flatMap((effect) => {
            if (effect.type !== "load") return [effect];
            const isGood = effect.position === loggedOf(good).position;
            return stash.take({ type: "loaded", loadId: effect.loadId, read: isGood ? readOf(good) : read });
          });
        // Each shard has been read by now, and fills the pages of half a minute.
        for (stash.nowMs = OFFER_AFTER_MS; stash.nowMs <= 3 * OFFER_AFTER_MS; stash.nowMs += 10_000)
          answer(stash.take(offer));
        stash.hear("c0", stashAppendOf(good));
        stash.take(appended(good));
        stash.nowMs += OFFER_AFTER_MS;
        expect(isHandedOver(answer(stash.take(offer)))).toBe(true);
      },
    );

    test("is still offered if there is space on the page", () => {
      const stash = servingStash([
        ...bad.slice(0, 2).map((shard) => ({ ...loggedOf(shard), isDamaged: true })),
        loggedOf(good),
      ]);
      stash.nowMs = OFFER_AFTER_MS;
      const [offered] = messagesOf(readAll(stash, stash.take(offer), [good]), "pod.handoff");
      expect(offered?.message.shards).toEqual([good]);
      expect(offered?.message.damaged.map(({ upload }) => upload)).toEqual(
        bad.slice(0, 2).map(({ upload }) => upload),
      );
    });
  });

  test("is offered sooner while there are pages of shards and its pod takes them", () => {
    const many = shardsOf(1, 24);
    const stash = servingStash(many.map(loggedOf));
    const soon = { ...again, delayMs: 1000 };
    stash.nowMs = OFFER_AFTER_MS;
    expect(stash.take(offer)[0]).toEqual(again);
    stash.hear("p1", purgeOf(1, many.slice(0, 8)));
    expect(stash.take(offer)[0]).toEqual(soon);
    expect(stash.take(offer)[0]).toEqual(again);
    stash.hear("p1", purgeOf(1, many.slice(8, 16)));
    expect(stash.take(offer)).toEqual([again]);
  });
});

describe("bytes that fail their checksum do not count as a copy", () => {
  const shards = shardsOf(1, 2);
  const [good, bad] = shards as [Shard, Shard];

  const { upload, shardIndex, payloadCrc } = bad;
  const probe = { type: "stash.probe", requestId: 1, uploadId: upload.uploadId } as const;

  test("a read omits and counts them, informs the pod of the upload, and keeps the record", () => {
    const stash = startedStash(shards.map(loggedOf));
    const said = readAll(stash, stash.hear("p1", pullOf(identityOf(1))), shards, bad);
    expect(said).toHaveLength(1);
    expect(messagesOf(said, "pod.handoff")[0]?.message).toMatchObject({
      shards: [good],
      damaged: [{ upload, shardIndex, payloadCrc }],
    });
    expect(stash.state.refusals.get("corrupt shard")).toBe(1);
    expect(stash.hear("c0", probe)).toMatchObject([{ message: { shardIndices: [], damagedIndices: [1] } }]);
  });

  test("a scrub's finding is handled the same way, once", () => {
    const stash = startedStash(shards.map(loggedOf));
    const corrupt = { type: "corrupt", uploadId: upload.uploadId, shardIndex: 1 } as const;
    expect(stash.take(corrupt)).toEqual([]);
    expect(stash.take(corrupt)).toEqual([]);
    expect(stash.state.refusals.get("corrupt shard")).toBe(1);
    expect(stash.hear("c0", probe)).toMatchObject([{ message: { damagedIndices: [1] } }]);
  });

  test("the record ends when its pod has the shard", () => {
    const stash = servingStash([{ ...loggedOf(bad), isDamaged: true }]);
    stash.hear("p1", purgeOf(1, [bad]));
    expect(stash.state.entries.has(upload.uploadId)).toBe(false);
  });

  test("a page with a shard that the drive fails to read is withheld until a fault would have passed", () => {
    const stash = startedStash(shards.map(loggedOf));
    const pulled = (): ReturnType<StashMachine["take"]> => {
      const loads = stash.hear("p1", pullOf(identityOf(1))) as { loadId: number; position: string }[];
      return loads.flatMap(({ loadId, position }) => {
        const isBad = position === loggedOf(bad).position;
        return stash.take({ type: "loaded", loadId, read: isBad ? { type: "unreadable" } : readOf(good) });
      });
    };
    expect(pulled()).toEqual([]);
    stash.nowMs += FAULT_PASSES_WITHIN_MS;
    expect(messagesOf(pulled(), "pod.handoff")[0]?.message).toMatchObject({
      shards: [good],
      damaged: [{ upload }],
    });
  });

  test("a shard that is purged while it is read is not killed twice", () => {
    const stash = servingStash(shards.map(loggedOf));
    const [load] = stash.hear("c0", { type: "stash.load", requestId: 5, uploadId: bad.upload.uploadId });
    stash.hear("p1", purgeOf(1, [bad]));
    const { loadId } = load as { loadId: number };
    expect(stash.take({ type: "loaded", loadId, read: { type: "gone" } })).toEqual([
      send("c0", { type: "coordinator.loaded", requestId: 5, from: "s0", shards: [], missingReason: null }),
    ]);
    expect(stash.take({ type: "loaded", loadId, read: { type: "gone" } })).toEqual([]);
  });
});
