/** Saves lifecycle rules that an operator wrote in the console. */
import type { BucketAnswer, BucketQuestion } from "@stashlight/contracts/bucket";
import { type LifecycleRule, parseLifecycleRules, writeLifecycleRules } from "@stashlight/s3/lifecycle";
import type { AuditLog } from "../lost/audit-log.ts";
import { parseMarker } from "../records/bucket-marker.ts";
import { BUCKETS } from "../records/bucket-records.ts";
import { SETTINGS, settingKey } from "../records/setting-records.ts";
import { type FoundSetting, findSetting, packSetting, type SettingPlace } from "../store/bucket-settings.ts";
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { revisionOf } from "./describe-buckets.ts";

export interface SaveOptions {
  readonly vault: Pick<VaultVerbs, "head" | "get" | "put" | "delete">;
  readonly audit: AuditLog;
  readonly wallMs: () => number;
}

type SaveQuestion = Extract<BucketQuestion, { type: "save" }>;

const CHANGED =
  "The rules of the bucket have changed since they were shown. Reload them and make the change again.";

/** Checks rules as the S3 edge does. Throws an S3Error. */
export function checkRules(rules: readonly LifecycleRule[]): readonly LifecycleRule[] {
  return parseLifecycleRules(writeLifecycleRules(rules));
}

/** Replaces all rules, if the bucket still has the rules that were shown. Rejects with an S3Error or VaultError. */
export async function saveRules(
  { vault, audit, wallMs }: SaveOptions,
  { bucket, rules, revision, operator }: SaveQuestion,
): Promise<BucketAnswer> {
  const text = rules.length === 0 ? null : writeLifecycleRules(checkRules(rules));
  const upload = await vault.head(BUCKETS, bucket);
  if (upload === null) return { type: "refused", reason: `There is no bucket ${bucket}; it was deleted.` };
  const place = { bucket, name: "lifecycle", bucketId: parseMarker(upload).id };
  const found = await findSetting(vault, place);
  if (revisionOf(found) !== revision) return { type: "refused", reason: CHANGED };
  const write = (result: string): Promise<void> =>
    audit.append({
      time: new Date(wallMs()).toISOString(),
      action: "lifecycle.save",
      result,
      operator: { user: operator, host: "console" },
      bucket,
      rules: text,
    });
  await write("asked");
  try {
    await replaceSetting(vault, place, found, text);
  } catch (error) {
    if (!(error instanceof VaultError) || error.code !== "precondition") throw error;
    await write("refused");
    return { type: "refused", reason: CHANGED };
  }
  await write("done");
  return { type: "saved" };
}

async function replaceSetting(
  vault: SaveOptions["vault"],
  place: SettingPlace,
  { etag }: FoundSetting,
  text: string | null,
): Promise<void> {
  const condition = etag === null ? ({ type: "absent" } as const) : ({ type: "etag", etag } as const);
  if (text !== null) {
    await vault.put(packSetting({ ...place, text }), condition, { requestId: null });
  } else if (etag !== null) {
    await vault.delete(SETTINGS, settingKey(place.bucket, place.name), condition);
  }
}
