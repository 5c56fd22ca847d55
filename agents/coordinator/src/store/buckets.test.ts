import type { AccessKey, StoreContext } from "@stashlight/s3";
import { formatOrder, type UploadHeader } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { BucketKeys } from "../encryption/bucket-keys.ts";
import { VaultKeyring } from "../encryption/vault-keyring.ts";
import { BUCKETS } from "../records/bucket-records.ts";
import { VaultError } from "../vault/errors.ts";
import type { NewObject } from "../vault/objects.ts";
import { createBuckets } from "./buckets.ts";

/** Markers that all coordinators of a vault share, on one clock. */
function startVault(coordinatorCount: number) {
  const markers = new Map<string, UploadHeader>();
  const state = { nowMs: 1_000, headCount: 0 };
  const vault = {
    head: async (_bucket: string, key: string) => {
      state.headCount += 1;
      return markers.get(key) ?? null;
    },
    get: async () => null,
    list: async (bucket: string) => ({
      uploads: bucket === BUCKETS ? [...markers.values()] : [],
      isTruncated: false,
    }),
    put: async ({ key, metadata }: NewObject) => {
      if (markers.has(key)) throw new VaultError("precondition");
      const order = formatOrder(state.nowMs, 0, 0);
      markers.set(key, { key, userMetadata: metadata, order } as unknown as UploadHeader);
      return {} as never;
    },
    delete: async (_bucket: string, key: string) => {
      const marker = markers.get(key) as UploadHeader;
      markers.delete(key);
      return marker;
    },
  };
  const keyring = new VaultKeyring({ file: { clusterId: "" }, nowMs: () => state.nowMs });
  const coordinators = Array.from({ length: coordinatorCount }, () =>
    createBuckets({
      vault,
      keys: new BucketKeys({ vault, keyring }),
      encryptsNewBuckets: false,
      countCoordinators: () => coordinatorCount,
      nowMs: () => state.nowMs,
      wait: async (durationMs) => {
        state.nowMs += durationMs;
      },
    }),
  );
  return { state, markers, coordinators };
}

const by = (owner: string) =>
  ({ principal: { accessKey: { owner } as AccessKey } }) as unknown as StoreContext;
const bucket = "photos";

test("a bucket belongs to the owner whose key created it, and its name is taken for all others", async () => {
  const [buckets] = startVault(1).coordinators as [ReturnType<typeof createBuckets>];
  await buckets.createBucket(by("ada"), { bucket });
  expect(await buckets.ownerOfBucket(by("bob"), { bucket })).toBe("ada");
  expect(await buckets.listBuckets(by("bob"))).toMatchObject([{ name: bucket, owner: "ada" }]);
  const again = (owner: string) => buckets.createBucket(by(owner), { bucket });
  await expect(again("ada")).rejects.toMatchObject({ code: "BucketAlreadyOwnedByYou" });
  await expect(again("bob")).rejects.toMatchObject({ code: "BucketAlreadyExists" });
});

test("a bucket without a recorded owner belongs to the default owner", async () => {
  const { markers, coordinators } = startVault(1);
  const order = formatOrder(1, 0, 0);
  markers.set("old", { key: "old", userMetadata: {}, order } as unknown as UploadHeader);
  const [buckets] = coordinators as [ReturnType<typeof createBuckets>];
  expect(await buckets.ownerOfBucket(by("bob"), { bucket: "old" })).toBe("stashlight");
});

test("once a bucket is created, no coordinator uses a previous owner of its name", async () => {
  const { coordinators } = startVault(2);
  const [first, second] = coordinators as [(typeof coordinators)[0], (typeof coordinators)[0]];
  await first.createBucket(by("ada"), { bucket });
  expect(await second.ownerOfBucket(by("ada"), { bucket })).toBe("ada");
  await first.deleteBucket(by("ada"), { bucket });
  await first.createBucket(by("bob"), { bucket });
  expect(await second.ownerOfBucket(by("ada"), { bucket })).toBe("bob");
  expect(await first.ownerOfBucket(by("ada"), { bucket })).toBe("bob");
});

test("the marker of a bucket is cached for two seconds", async () => {
  const { state, coordinators } = startVault(1);
  const [buckets] = coordinators as [ReturnType<typeof createBuckets>];
  await buckets.createBucket(by("ada"), { bucket });
  for (const [afterMs, headCount] of [
    [0, 1],
    [1999, 1],
    [1, 2],
  ] as const) {
    state.nowMs += afterMs;
    await buckets.ownerOfBucket(by("ada"), { bucket });
    expect(state.headCount).toBe(headCount);
  }
  await expect(buckets.check("none")).rejects.toMatchObject({ code: "NoSuchBucket" });
});
