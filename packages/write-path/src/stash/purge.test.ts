/** Tests purges, the only messages that destroy what may be the last durable copy of a shard. */
import { describe, expect, test } from "vitest";
import type { Address, StashMessage } from "../messages/index.ts";
import {
  appended,
  countTo,
  expectRefusal,
  identityOf,
  killed,
  loggedOf,
  purgeEntryOf,
  purgeOf,
  type StashMachine,
  send,
  servingStash,
  shardOf,
  startedStash,
  stashAppendOf,
  threePlusTwo,
  uploadIdOf,
  uploadOf,
  vaultOf,
  withOtherBytes,
} from "../testing/index.ts";
import type { StashRefusal } from "./state.ts";

type Purge = Extract<StashMessage, { type: "stash.purge" }>;

const upload = uploadOf(7);
const mine = shardOf(upload, 1);
const other = shardOf(upload, 2);

/** A device that keeps shards 1 and 2 of upload 7 and shard 1 of upload 8. */
const stashOf = (vault = vaultOf()) =>
  servingStash([mine, other, shardOf(uploadOf(8), 1)].map(loggedOf), vault);

const holds = (stash: StashMachine, { upload: { uploadId }, shardIndex }: typeof mine): boolean =>
  stash.state.entries.get(uploadId)?.some((entry) => entry.shardIndex === shardIndex) ?? false;

test("a pod's purge removes that shard, and no other shard of the upload or the pod", () => {
  const stash = stashOf();
  expect(stash.hear("p1", purgeOf(1, [mine]))).toEqual([killed(mine)]);
  expect(holds(stash, mine)).toBe(false);
  expect(holds(stash, other)).toBe(true);
  expect(holds(stash, shardOf(uploadOf(8), 1))).toBe(true);
  expect(stash.state.refusals.size).toBe(0);
});

test("a duplicate purge kills the record only once", () => {
  const stash = stashOf();
  stash.hear("p1", purgeOf(1, [mine]));
  expect(stash.hear("p1", purgeOf(1, [mine]))).toEqual([]);
});

describe("a purge with one wrong field is refused and counted, and changes nothing", () => {
  const right = purgeOf(1, [mine]);
  const pod = identityOf(1);
  const rows: [StashRefusal, string, Address, Purge][] = [
    ["purge of another pod's shard", "sent by another pod", "p2", right],
    ["purge of another pod's shard", "sent by a coordinator", "c1", right],
    ["purge of another pod's shard", "sent by a device", "s1", right],
    ["purge from another epoch", "an earlier epoch", "p1", { ...right, epoch: 0 }],
    ["purge from another epoch", "a later epoch", "p1", { ...right, epoch: 2 }],
    [
      "purge from another drive",
      "an earlier drive of the pod",
      "p1",
      { ...right, pod: { ...pod, driveId: "drive-old" } },
    ],
    [
      "purge from another drive",
      "another pod's drive",
      "p1",
      { ...right, pod: { ...pod, driveId: "drive-2" } },
    ],
    ["purge from another boot", "an earlier boot", "p1", { ...right, pod: { ...pod, bootId: 0 } }],
    [
      "purge from another boot",
      "a boot that was not announced",
      "p1",
      { ...right, pod: { ...pod, bootId: 2 } },
    ],
    ["purge of another pod's shard", "a shard of another index", "p1", purgeOf(1, [other])],
    ["purge of other bytes", "other bytes", "p1", purgeOf(1, [withOtherBytes(mine)])],
  ];
  test.each(rows)("with the reason “%s”: %s", (reason, _what, from, message) => {
    const stash = stashOf();
    const effects = expectRefusal(stash, reason, () => stash.hear(from, message));
    expect(effects.filter((effect) => effect.type === "kill")).toEqual([]);
  });

  test("with bytes other than those of a damaged shard, which may be the last copy and become readable later", () => {
    const stash = startedStash([{ ...loggedOf(mine), isDamaged: true }]);
    stash.hear("p1", { type: "stash.pull", pod, cursor: 0 });
    expectRefusal(stash, "purge of other bytes", () => stash.hear("p1", purgeOf(1, [withOtherBytes(mine)])));
    expect(stash.hear("p1", right)).toEqual([killed(mine)]);
  });

  test("with an index that belongs to no pod of the vault", () => {
    const stash = stashOf();
    const stranger: Purge = { ...right, pod: { podIndex: 9, driveId: "drive-9", bootId: 1 } };
    expectRefusal(stash, "purge from another drive", () => stash.hear("p9", stranger));
  });

  test("a stranger is asked for its identity, so that it repeats everything that is still true", () => {
    const stash = stashOf();
    const announce = send("p1", { type: "pod.announce", deviceId: 0 });
    expect(stash.hear("p1", { ...right, pod: { ...pod, bootId: 2 } })).toEqual([announce]);
    stash.hear("p1", { type: "stash.pull", pod: identityOf(1, 2), cursor: 0 });
    expect(stash.hear("p1", { ...right, pod: { ...pod, bootId: 2 } })).toEqual([killed(mine)]);
  });

  test("a restarted device obeys no purge before the pods have announced themselves", () => {
    const stash = startedStash([loggedOf(mine)]);
    expectRefusal(stash, "purge from another boot", () => stash.hear("p1", right));
    expect(holds(stash, mine)).toBe(true);
  });

  test("a purge of the old drive is void in the epoch of the new one", () => {
    const stash = stashOf();
    const { config } = stash.state;
    stash.state.config = { ...config, epoch: 2, podDriveIds: config.podDriveIds.with(1, "drive-new") };
    expectRefusal(stash, "purge from another epoch", () => stash.hear("p1", right));
    expectRefusal(stash, "purge from another drive", () => stash.hear("p1", { ...right, epoch: 2 }));
  });
});

test("each valid entry of a message is obeyed, and each invalid one is counted", () => {
  const stash = stashOf();
  const wrong = { ...purgeEntryOf(shardOf(uploadOf(8), 1)), payloadCrc: 0 };
  const entries = [wrong, purgeEntryOf(other), purgeEntryOf(mine)];
  expect(stash.hear("p1", { ...purgeOf(1, []), entries })).toEqual([killed(mine)]);
  expect(Object.fromEntries(stash.state.refusals)).toEqual({
    "purge of other bytes": 1,
    "purge of another pod's shard": 1,
  });
  expect(holds(stash, other)).toBe(true);
});

test("a purge of another upload of the same key does not affect this one", () => {
  const stash = stashOf();
  const { uploadId: _, ...words } = purgeEntryOf(mine);
  expect(stash.hear("p1", { ...purgeOf(1, []), entries: [{ ...words, uploadId: uploadIdOf(6) }] })).toEqual(
    [],
  );
  expect(holds(stash, mine)).toBe(true);
});

describe("a purge may overtake the write of its shard", () => {
  const durable = send("c0", {
    type: "coordinator.stashAppended",
    uploadId: upload.uploadId,
    shardIndex: 1,
    deviceId: 0,
    result: "durable",
    podBootId: 1,
  });

  test("before the shard arrives: the shard is already durable on its pod, so the stash does not write it", () => {
    const stash = servingStash();
    expect(stash.hear("p1", purgeOf(1, [mine]))).toEqual([]);
    expect(stash.hear("c0", stashAppendOf(mine))).toEqual([durable]);
    expect(stash.state.purgedEarly.size).toBe(0);
  });

  test("applies only to exactly these bytes", () => {
    const stash = servingStash();
    stash.hear("p1", purgeOf(1, [withOtherBytes(mine)]));
    expect(stash.hear("c0", stashAppendOf(mine))).toEqual([{ type: "append", shard: mine, room: "data" }]);
  });

  test("during its group commit: waiting nodes are notified that it is durable, and the record is killed at once", () => {
    const stash = servingStash();
    stash.hear("c0", stashAppendOf(mine));
    expect(stash.hear("p1", purgeOf(1, [mine]))).toEqual([durable]);
    expect(stash.take(appended(mine))).toEqual([killed(mine)]);
    expect(stash.hear("c0", stashAppendOf(mine))).toEqual([durable]);
  });

  test("when the shard was sent twice more: one record remains and the other is killed", () => {
    const stash = servingStash();
    stash.hear("c0", stashAppendOf(mine));
    stash.hear("p1", purgeOf(1, [mine]));
    stash.hear("c0", stashAppendOf(mine));
    expect(stash.hear("c0", stashAppendOf(mine))).toEqual([{ type: "append", shard: mine, room: "data" }]);
    expect(stash.take(appended(mine, "first"))).toEqual([durable]);
    expect(stash.take(appended(mine, "second"))).toEqual([killed(mine, "second")]);
    expect(stash.hear("p1", purgeOf(1, [mine]))).toEqual([killed(mine, "first")]);
  });

  test("is remembered if it is among the last 4,096; forgetting it costs only a write of its shard, which is purged later", () => {
    const stash = servingStash();
    const shards = countTo(4097).map((number) => shardOf(uploadOf(number + 1), 1));
    stash.hear("p1", purgeOf(1, shards));
    expect(stash.state.purgedEarly.size).toBe(4096);
    const [oldest, second] = shards as [typeof mine, typeof mine];
    expect(stash.hear("c0", stashAppendOf(second))).toMatchObject([{ message: { result: "durable" } }]);
    expect(stash.hear("c0", stashAppendOf(oldest))).toEqual([
      { type: "append", shard: oldest, room: "data" },
    ]);
    stash.take(appended(oldest));
    expect(stash.hear("p1", purgeOf(1, [oldest]))).toEqual([killed(oldest)]);
  });
});

describe("a discard needs proof that the upload is dead", () => {
  const discard = (proof: Extract<StashMessage, { type: "stash.discard" }>["proof"]) =>
    ({ type: "stash.discard", upload, proof }) as const;

  test.each([
    ["too few promises", { type: "refused", by: [0] }],
    ["one pod twice", { type: "refused", by: [0, 0] }],
    ["pods that do not exist", { type: "refused", by: [0, 3, -1] }],
    ["its own order", { type: "superseded", by: upload.order }],
    ["an order below", { type: "superseded", by: uploadOf(6).order }],
  ] as const)("is counted and ignored with %s as proof", (_what, proof) => {
    const stash = stashOf();
    expectRefusal(stash, "discard without proof", () => stash.hear("c0", discard(proof)));
  });

  test.each(["p0", "p1", "s1"] as const)(
    "is accepted only from a coordinator: one from %s is refused",
    (from) => {
      const stash = stashOf();
      const proof = { type: "refused", by: [0, 2] } as const;
      expectRefusal(stash, "message of a stranger", () => stash.hear(from, discard(proof)));
      expect(stash.hear("c0", discard(proof))).toHaveLength(2);
    },
  );

  test.each([
    { type: "refused", by: [0, 2] },
    { type: "superseded", by: uploadOf(8).order },
  ] as const)("with $type ends every shard of the upload, and none is accepted again", (proof) => {
    const stash = stashOf();
    expect(stash.hear("c0", discard(proof))).toEqual([killed(mine), killed(other)]);
    expectRefusal(stash, "append of a dead upload", () => stash.hear("c0", stashAppendOf(mine)));
  });

  test("is refused with enough promises to drop a shard on a pod, but too few for the last copy if media may be lost", () => {
    const stash = stashOf(vaultOf(threePlusTwo));
    expectRefusal(stash, "discard without proof", () =>
      stash.hear("c0", discard({ type: "refused", by: [0, 1, 2] })),
    );
    expect(stash.hear("c0", discard({ type: "refused", by: [0, 1, 2, 4] }))).toHaveLength(2);
  });

  test("during a write of the shard notifies waiting nodes that it failed, and kills the record", () => {
    const stash = servingStash();
    stash.hear("c0", stashAppendOf(mine));
    expect(stash.hear("c0", discard({ type: "refused", by: [0, 2] }))).toMatchObject([
      { message: { type: "coordinator.stashAppended", result: "failed" } },
    ]);
    expect(stash.take(appended(mine))).toEqual([killed(mine)]);
  });
});
