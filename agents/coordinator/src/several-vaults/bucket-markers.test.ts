/** Tests that the markers of a bucket in several vaults, whose times differ, count as one marker. */
import type { AccessKey, StoreContext } from "@stashlight/s3";
import { expect, test } from "vitest";
import { BucketKeys } from "../encryption/bucket-keys.ts";
import { VaultKeyring } from "../encryption/vault-keyring.ts";
import { changeMarker } from "../records/bucket-marker.ts";
import { BUCKETS } from "../records/bucket-records.ts";
import { MemoryVault } from "../space/testing/memory-vault.ts";
import { createBuckets } from "../store/buckets.ts";
import { VaultError } from "../vault/errors.ts";
import { BucketMarkers } from "./bucket-markers.ts";
import { spreadVault } from "./spread-vault.ts";
import { WriteGate } from "./write-gate.ts";

const context = { principal: { accessKey: { owner: "ada" } as AccessKey }, requestId: "r" } as StoreContext;
const setting = { bucket: "photos", name: "cors" };

/** Starts two vaults, the first of which answers nothing but requests for markers while `isSilent`. */
function startVaults() {
  const vaults = [new MemoryVault(), new MemoryVault()];
  const state = { isSilent: false };
  const [first] = vaults as [MemoryVault, MemoryVault];
  first.before = async (_verb, bucket) => {
    if (state.isSilent && bucket === BUCKETS) throw new VaultError("unavailable");
  };
  const markers = new BucketMarkers(vaults, () => true);
  const turns = new WriteGate({ patienceMs: 0 });
  const unused = {
    mayHaveLeftovers: () => undefined,
    passOver: async () => false,
    mayBeTakenOver: () => false,
    wait: async () => undefined,
  };
  const vault = spreadVault({ vaults, turns, markers, nowMs: () => 0, ...unused });
  const keys = new BucketKeys({
    vault,
    keyring: new VaultKeyring({ file: { clusterId: "" }, nowMs: () => 0 }),
  });
  const encryption = { keys, encryptsNewBuckets: false };
  const buckets = createBuckets({
    ...encryption,
    vault,
    countCoordinators: () => 1,
    nowMs: () => 0,
    wait: async () => undefined,
  });
  return { first, second: vaults[1] as MemoryVault, state, markers, buckets };
}

test("a setting is the same through any copy of the marker", async () => {
  const { first, second, state, buckets } = startVaults();
  // The version clocks of the vaults diverge.
  const other = {
    bucket: "other",
    key: "k",
    bytes: new Uint8Array(0),
    etag: "",
    contentType: "",
    metadata: {},
  };
  await first.put(other, { type: "none" }, { requestId: null });
  await buckets.createBucket(context, setting);
  const orders = await Promise.all(
    [first, second].map(async (vault) => (await vault.head(BUCKETS, "photos"))?.order),
  );
  expect(orders[0]).not.toBe(orders[1]);

  for (const [writtenSilent, text] of [
    [false, "<a/>"],
    [true, "<b/>"],
  ] as const) {
    state.isSilent = writtenSilent;
    await buckets.writeBucketSetting(context, { ...setting, text });
    for (const isSilent of [true, false]) {
      state.isSilent = isSilent;
      expect(await buckets.readBucketSetting(context, setting)).toBe(text);
    }
  }
});

test("a copy made later is equivalent", async () => {
  const { second, state, markers, buckets } = startVaults();
  await buckets.createBucket(context, setting);
  await buckets.writeBucketSetting(context, { ...setting, text: "<a/>" });
  await second.delete(BUCKETS, "photos");
  await markers.repair(() => true);
  state.isSilent = true;
  expect(await buckets.readBucketSetting(context, setting)).toBe("<a/>");
});

test("a copy that missed a change of its marker is updated from the first vault", async () => {
  const { first, second, markers, buckets } = startVaults();
  await buckets.createBucket(context, setting);
  second.before = () => {
    throw new VaultError("unavailable");
  };
  const change = () => ({ wrappedKey: "1 2 3" });
  await changeMarker(
    { head: (_, key) => markers.head(key), put: markers.put.bind(markers) },
    "photos",
    change,
    null,
  );
  second.before = () => {};
  const keyIn = async (vault: MemoryVault) =>
    (await vault.head(BUCKETS, "photos"))?.userMetadata[":bucket-key"];
  expect([await keyIn(first), await keyIn(second)]).toEqual(["1 2 3", undefined]);
  await markers.repair(() => true);
  expect(await keyIn(second)).toBe("1 2 3");
  const head = await second.head(BUCKETS, "photos");
  await markers.repair(() => true);
  expect((await second.head(BUCKETS, "photos"))?.uploadId).toBe(head?.uploadId);
});
