/** The console uses these parts of an object's location, so they need no schema library. */

/** The console gives up after this time. A coordinator asks its nodes for at most half of it. */
export const objectQuestionOpenMs = 20_000;

export const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
export const keyBytesMax = 1024;

export interface ObjectName {
  bucket: string;
  key: string;
}

export const isKey = (key: string): boolean =>
  key !== "" && new TextEncoder().encode(key).length <= keyBytesMax;

/** A bucket and a key as people type them, `bucket/key`; null for any other text. */
export function objectNameOf(text: string): ObjectName | null {
  const slash = text.indexOf("/");
  const [bucket, key] = [text.slice(0, slash), text.slice(slash + 1)];
  return slash > 0 && bucketPattern.test(bucket) && isKey(key) ? { bucket, key } : null;
}
