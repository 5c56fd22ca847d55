import type { StoreContext } from "@stashlight/s3";
import { expect, test } from "vitest";
import type { NewObject } from "../vault/objects.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { createBucketSettings } from "./bucket-settings.ts";

const context = { requestId: "r" } as StoreContext;
const setting = { bucket: "photos", name: "versioning" };

/** Settings over a map of records, with the id of the bucket that has the name now. */
function start() {
  const records = new Map<string, NewObject>();
  const state = { bucketId: "first" };
  const vault = {
    get: async (_bucket: string, key: string) => {
      const record = records.get(key);
      return record && { upload: { userMetadata: record.metadata }, parts: [record.bytes] };
    },
    list: async (_bucket: string, { prefix }: { prefix: string }) => {
      const keys = [...records.keys()].filter((key) => key.startsWith(prefix));
      return { uploads: keys.map((key) => ({ key })), isTruncated: false };
    },
    put: async (record: NewObject) => void records.set(record.key, record),
    delete: async (_bucket: string, key: string) => {
      expect(records.delete(key)).toBe(true);
    },
  };
  const settings = createBucketSettings({
    vault: {
      ...(vault as unknown as VaultVerbs),
      get: async (bucket, key) => ((await vault.get(bucket, key)) ?? null) as never,
    },
    findBucketId: async () => state.bucketId,
  });
  return { records, state, settings };
}

test("a setting is read as last written, until it is removed", async () => {
  const { settings, records } = start();
  expect(await settings.readBucketSetting(context, setting)).toBeNull();
  for (const text of ["<a/>", "<b>\u00fc</b>"]) {
    await settings.writeBucketSetting(context, { ...setting, text });
    expect(await settings.readBucketSetting(context, setting)).toBe(text);
  }
  expect(await settings.readBucketSetting(context, { ...setting, name: "other" })).toBeNull();
  await settings.writeBucketSetting(context, { ...setting, text: null });
  await settings.writeBucketSetting(context, { ...setting, text: null });
  expect([await settings.readBucketSetting(context, setting), records.size]).toEqual([null, 0]);
});

test("a recreated bucket does not have the settings of the earlier one", async () => {
  const { settings, state } = start();
  await settings.writeBucketSetting(context, { ...setting, text: "<a/>" });
  state.bucketId = "second";
  expect(await settings.readBucketSetting(context, setting)).toBeNull();
});

test("all settings of a bucket are removed, but none of a bucket whose name has that prefix", async () => {
  const { settings, records } = start();
  for (const bucket of ["photos", "photos2"]) {
    for (const name of ["versioning", "cors"]) {
      await settings.writeBucketSetting(context, { bucket, name, text: "<a/>" });
    }
  }
  await settings.removeAll("photos");
  expect([...records.keys()]).toEqual(["photos2\0versioning", "photos2\0cors"]);
});
