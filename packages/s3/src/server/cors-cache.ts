/** The CORS rules of buckets, read again every few seconds. */
import { S3Error } from "../errors.ts";
import { type CorsRule, parseCorsRules } from "../operations/configuration/cors-rules.ts";
import type { ObjectStore } from "../store.ts";

export interface CorsCache {
  /** The rules of a bucket; none for one that does not exist. */
  find(bucket: string, requestId: string): Promise<readonly CorsRule[]>;
  /** Rules that were read lately, without a look at the vault. */
  peek(bucket: string): readonly CorsRule[];
}

/** Rules are used so long before they are read again, so a change takes effect within this time. */
const RULES_MS = 2000;
/** Anyone may send a preflight for any name. */
const BUCKET_COUNT_MAX = 1000;

interface CorsCacheOptions {
  readonly store: Pick<ObjectStore, "readBucketSetting">;
  readonly nowMs: () => number;
}

export function createCorsCache({ store, nowMs }: CorsCacheOptions): CorsCache {
  const known = new Map<string, { readonly rules: readonly CorsRule[]; readonly untilMs: number }>();
  const peek = (bucket: string) => {
    const found = known.get(bucket);
    return found !== undefined && found.untilMs > nowMs() ? found.rules : null;
  };
  return {
    peek: (bucket) => peek(bucket) ?? [],
    find: async (bucket, requestId) => {
      const sofar = peek(bucket);
      if (sofar !== null) return sofar;
      const rules = await readRules(store, bucket, requestId);
      known.delete(bucket);
      known.set(bucket, { rules, untilMs: nowMs() + RULES_MS });
      if (known.size > BUCKET_COUNT_MAX) known.delete(known.keys().next().value as string);
      return rules;
    },
  };
}

async function readRules(
  store: CorsCacheOptions["store"],
  bucket: string,
  requestId: string,
): Promise<readonly CorsRule[]> {
  try {
    const text = await store.readBucketSetting({ requestId }, { bucket, name: "cors" });
    return text === null ? [] : parseCorsRules(text);
  } catch (error) {
    if (error instanceof S3Error && error.code === "NoSuchBucket") return [];
    throw error;
  }
}
