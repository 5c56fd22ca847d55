/** Parts of an object's location that the console uses, without a schema library. */

/** Time after which the console stops waiting. A coordinator waits for its nodes at most half of it. */
export const objectQuestionOpenMs = 20_000;

export const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
export const keyBytesMax = 1024;

export interface ObjectName {
  bucket: string;
  key: string;
}

export const isKey = (key: string): boolean =>
  key !== "" && new TextEncoder().encode(key).length <= keyBytesMax;

/** Parses a bucket and a key as users type them, `bucket/key`; null for any other text. */
export function parseObjectName(text: string): ObjectName | null {
  const slash = text.indexOf("/");
  const [bucket, key] = [text.slice(0, slash), text.slice(slash + 1)];
  return slash > 0 && bucketPattern.test(bucket) && isKey(key) ? { bucket, key } : null;
}
