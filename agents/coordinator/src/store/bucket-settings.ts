/** The documents that clients have written about a bucket, such as that versioning is suspended. */
import { createHash } from "node:crypto";
import type { BucketInfo, ObjectStore } from "@stashlight/s3";
import { SETTINGS, settingKey, settingPrefix } from "../records/setting-records.ts";
import type { VaultVerbs } from "../vault/verbs.ts";

/** Metadata of a setting: when its bucket was created. A later bucket of the same name does not have the setting. */
const BUCKET_CREATED = ":bucket-created";
/** AWS has a few dozen settings, so a page holds all of a bucket. */
const SETTING_COUNT_MAX = 1000;

export interface BucketSettings extends Pick<ObjectStore, "readBucketSetting" | "writeBucketSetting"> {
  removeAll(bucket: string): Promise<void>;
}

export interface BucketSettingsOptions {
  readonly vault: Pick<VaultVerbs, "get" | "list" | "put" | "delete">;
  /** Rejects with NoSuchBucket. */
  readonly findBucket: (bucket: string) => Promise<BucketInfo>;
}

export function createBucketSettings({ vault, findBucket }: BucketSettingsOptions): BucketSettings {
  return {
    readBucketSetting: async (_context, { bucket, name }) => {
      const { createdMs } = await findBucket(bucket);
      const found = await vault.get(SETTINGS, settingKey(bucket, name));
      if (found === null || found.upload.userMetadata[BUCKET_CREATED] !== String(createdMs)) return null;
      return Buffer.concat(found.parts).toString("utf8");
    },
    writeBucketSetting: async ({ requestId }, { bucket, name, text }) => {
      const { createdMs } = await findBucket(bucket);
      const key = settingKey(bucket, name);
      if (text === null) {
        // A setting that does not exist needs no tombstone.
        if ((await vault.get(SETTINGS, key)) !== null) await vault.delete(SETTINGS, key);
        return;
      }
      const bytes = Buffer.from(text, "utf8");
      const etag = createHash("md5").update(bytes).digest("hex");
      const metadata = { [BUCKET_CREATED]: String(createdMs) };
      const setting = { bucket: SETTINGS, key, bytes, etag, contentType: "application/xml", metadata };
      await vault.put(setting, { type: "none" }, { requestId });
    },
    removeAll: async (bucket) => {
      const range = { prefix: settingPrefix(bucket), after: "", keyCountMax: SETTING_COUNT_MAX };
      const { uploads } = await vault.list(SETTINGS, range);
      for (const { key } of uploads) await vault.delete(SETTINGS, key);
    },
  };
}
