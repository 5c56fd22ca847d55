/** Documents that clients have written about a bucket, for example that versioning is suspended. */
import { createHash } from "node:crypto";
import type { ObjectStore } from "@stashlight/s3";
import { SETTINGS, settingKey, settingPrefix } from "../records/setting-records.ts";
import type { NewObject } from "../vault/objects.ts";
import type { VaultVerbs } from "../vault/verbs.ts";

/** Metadata of a setting: the id of its bucket, so that a later bucket of the same name does not have the setting. */
const BUCKET_ID = ":bucket-id";
/** AWS has a few dozen settings, so a page holds all of a bucket's. */
const SETTING_COUNT_MAX = 1000;

export interface BucketSettings extends Pick<ObjectStore, "readBucketSetting" | "writeBucketSetting"> {
  removeAll(bucket: string): Promise<void>;
}

export interface BucketSettingsOptions {
  readonly vault: Pick<VaultVerbs, "get" | "list" | "put" | "delete">;
  /** Returns a bucket's id, which all copies of its marker share; rejects with NoSuchBucket. */
  readonly findBucketId: (bucket: string) => Promise<string>;
}

export interface SettingPlace {
  readonly bucket: string;
  readonly name: string;
  /** Id of the bucket that currently has the name. */
  readonly bucketId: string;
}

export interface FoundSetting {
  /** Null if the setting is missing, or was left by an earlier bucket of the same name. */
  readonly text: string | null;
  /** ETag of the record; null without a record. */
  readonly etag: string | null;
}

export async function findSetting(
  vault: Pick<VaultVerbs, "get">,
  { bucket, name, bucketId }: SettingPlace,
): Promise<FoundSetting> {
  const found = await vault.get(SETTINGS, settingKey(bucket, name));
  if (found === null) return { text: null, etag: null };
  const { etag, userMetadata } = found.upload;
  const text = userMetadata[BUCKET_ID] === bucketId ? Buffer.concat(found.parts).toString("utf8") : null;
  return { text, etag };
}

export function packSetting({
  bucket,
  name,
  bucketId,
  text,
}: SettingPlace & { readonly text: string }): NewObject {
  const bytes = Buffer.from(text, "utf8");
  const etag = createHash("md5").update(bytes).digest("hex");
  const key = settingKey(bucket, name);
  const metadata = { [BUCKET_ID]: bucketId };
  return { bucket: SETTINGS, key, bytes, etag, contentType: "application/xml", metadata };
}

export function createBucketSettings({ vault, findBucketId }: BucketSettingsOptions): BucketSettings {
  return {
    readBucketSetting: async (_context, { bucket, name }) =>
      (await findSetting(vault, { bucket, name, bucketId: await findBucketId(bucket) })).text,
    writeBucketSetting: async ({ requestId }, { bucket, name, text }) => {
      const id = await findBucketId(bucket);
      const key = settingKey(bucket, name);
      if (text === null) {
        // A setting that does not exist needs no tombstone.
        if ((await vault.get(SETTINGS, key)) !== null) await vault.delete(SETTINGS, key);
        return;
      }
      await vault.put(packSetting({ bucket, name, bucketId: id, text }), { type: "none" }, { requestId });
    },
    removeAll: async (bucket) => {
      const range = { prefix: settingPrefix(bucket), after: "", keyCountMax: SETTING_COUNT_MAX };
      const { uploads } = await vault.list(SETTINGS, range);
      for (const { key } of uploads) await vault.delete(SETTINGS, key);
    },
  };
}
