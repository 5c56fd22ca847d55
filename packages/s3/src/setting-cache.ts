/** Caches bucket settings that requests need, such as CORS rules. */
import { S3Error } from "./errors.ts";
import type { ObjectStore } from "./store.ts";

export interface SettingCache<Value> {
  /** Returns the setting of a bucket; `whenUnset` for a bucket without the setting, and for a missing one. */
  find(bucket: string, requestId: string): Promise<Value>;
  /** Returns the cached setting without a read from the vault; null if there is none. */
  peek(bucket: string): Value | null;
  /** Drops the bucket's setting, so that the next request reads it again. */
  forget(bucket: string): void;
}

/** Bounds the cache, because anyone may send a preflight for any name. */
const BUCKET_COUNT_MAX = 1000;

interface SettingCacheOptions<Value> {
  readonly store: Pick<ObjectStore, "readBucketSetting">;
  readonly nowMs: () => number;
  readonly name: string;
  readonly parse: (text: string) => Value;
  readonly whenUnset: Value;
  /** Age at which a setting is read again; a change by another coordinator takes effect within this time. */
  readonly keptMs: number;
}

export function createSettingCache<Value>(options: SettingCacheOptions<Value>): SettingCache<Value> {
  const { nowMs, keptMs } = options;
  const known = new Map<string, { readonly value: Value; readonly untilMs: number }>();
  const peek = (bucket: string) => {
    const found = known.get(bucket);
    return found !== undefined && found.untilMs > nowMs() ? found.value : null;
  };
  return {
    peek,
    find: async (bucket, requestId) => {
      const sofar = peek(bucket);
      if (sofar !== null) return sofar;
      const value = await read(options, bucket, requestId);
      known.delete(bucket);
      known.set(bucket, { value, untilMs: nowMs() + keptMs });
      if (known.size > BUCKET_COUNT_MAX) known.delete(known.keys().next().value as string);
      return value;
    },
    forget: (bucket) => void known.delete(bucket),
  };
}

async function read<Value>(
  { store, name, parse, whenUnset }: SettingCacheOptions<Value>,
  bucket: string,
  requestId: string,
): Promise<Value> {
  try {
    const text = await store.readBucketSetting({ requestId }, { bucket, name });
    return text === null ? whenUnset : parse(text);
  } catch (error) {
    if (error instanceof S3Error && error.code === "NoSuchBucket") return whenUnset;
    throw error;
  }
}
