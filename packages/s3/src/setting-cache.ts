/** Settings of buckets that requests need, such as CORS rules, read again after some time. */
import { S3Error } from "./errors.ts";
import type { ObjectStore } from "./store.ts";

export interface SettingCache<Value> {
  /** The setting of a bucket; `whenUnset` for a bucket without it, and for one that does not exist. */
  find(bucket: string, requestId: string): Promise<Value>;
  /** The setting that was read lately, without a look at the vault; null if it was not. */
  peek(bucket: string): Value | null;
  /** Reads the setting of the bucket again at the next request. */
  forget(bucket: string): void;
}

/** Anyone may send a preflight for any name. */
const BUCKET_COUNT_MAX = 1000;

interface SettingCacheOptions<Value> {
  readonly store: Pick<ObjectStore, "readBucketSetting">;
  readonly nowMs: () => number;
  readonly name: string;
  readonly parse: (text: string) => Value;
  readonly whenUnset: Value;
  /** A change at another coordinator takes effect within this time. */
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
