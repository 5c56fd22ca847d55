/** `POST /lifecycle/preview`: the objects that rules would delete now, before the rules are saved. */
import { AdminError } from "@stashlight/node-runtime";
import { type LifecyclePreview, lifecyclePreviewSchema } from "@stashlight/node-runtime/durability";
import { sizeOf } from "@stashlight/node-runtime/objects";
import { S3Error } from "@stashlight/s3";
import { expiringPrefix, type LifecycleRule, parseLifecycleRules } from "@stashlight/s3/lifecycle";
import { BUCKETS } from "../records/bucket-records.ts";
import { SETTINGS, settingKey } from "../records/setting-records.ts";
import { modifiedMsOf } from "../store/metadata.ts";
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { dueExpiration } from "./pass.ts";

export interface PreviewOptions {
  readonly vault: Pick<VaultVerbs, "head" | "get" | "list">;
  readonly wallMs: () => number;
  readonly steadyMs: () => number;
}

type RulePreview = LifecyclePreview["rules"][number];

const PAGE_KEY_COUNT = 1000;
/** An operator waits for the answer. */
const WITHIN_MS = 60_000;

/** Rejects with an AdminError. */
export async function previewLifecycle(options: PreviewOptions, body: unknown): Promise<LifecyclePreview> {
  const parsed = lifecyclePreviewSchema.safeParse(body);
  if (!parsed.success) {
    throw new AdminError(
      400,
      'The body is {"bucket": ..., "document": the XML of the rules, or null for those in force}.',
    );
  }
  try {
    return await preview(options, parsed.data);
  } catch (error) {
    if (error instanceof S3Error) throw new AdminError(400, `${error.code}: ${error.message}`);
    if (error instanceof VaultError) throw new AdminError(503, error.message);
    throw error;
  }
}

async function preview(
  options: PreviewOptions,
  { bucket, document }: { readonly bucket: string; readonly document: string | null },
): Promise<LifecyclePreview> {
  const { vault } = options;
  if (bucket.startsWith(".") || (await vault.head(BUCKETS, bucket)) === null) {
    throw new AdminError(404, `There is no bucket ${bucket}.`);
  }
  const rules = document === null ? await readRules(vault, bucket) : parseLifecycleRules(document);
  return await countExpiring(options, { bucket, rules, withinMs: WITHIN_MS });
}

/** Counts what each rule would delete now. Rejects with a VaultError. */
export async function countExpiring(
  { vault, wallMs, steadyMs }: PreviewOptions,
  {
    bucket,
    rules,
    withinMs,
  }: { readonly bucket: string; readonly rules: readonly LifecycleRule[]; readonly withinMs: number },
): Promise<LifecyclePreview> {
  const found = new Map(
    rules.map(({ id, isEnabled }) => [
      id,
      { id, isEnabled, count: 0, bytes: 0, oldestMs: null } as RulePreview,
    ]),
  );
  const prefix = expiringPrefix(rules);
  const timeMs = wallMs();
  const untilMs = steadyMs() + withinMs;
  let seenCount = 0;
  let isTruncated = prefix !== null;
  for (let after = ""; isTruncated && steadyMs() < untilMs; ) {
    const page = await vault.list(bucket, { prefix: prefix ?? "", after, keyCountMax: PAGE_KEY_COUNT });
    for (const upload of page.uploads) {
      const rule = found.get(dueExpiration(rules, upload, timeMs)?.ruleId ?? "");
      if (rule === undefined) continue;
      const modifiedMs = modifiedMsOf(upload);
      found.set(rule.id, {
        ...rule,
        count: rule.count + 1,
        bytes: rule.bytes + sizeOf(upload),
        oldestMs: Math.min(rule.oldestMs ?? modifiedMs, modifiedMs),
      });
    }
    seenCount += page.uploads.length;
    ({ isTruncated } = page);
    after = page.uploads.at(-1)?.key ?? after;
  }
  return { rules: [...found.values()], seenCount, isWhole: !isTruncated };
}

async function readRules(vault: PreviewOptions["vault"], bucket: string): Promise<readonly LifecycleRule[]> {
  const found = await vault.get(SETTINGS, settingKey(bucket, "lifecycle"));
  return found === null ? [] : parseLifecycleRules(Buffer.concat(found.parts).toString("utf8"));
}
