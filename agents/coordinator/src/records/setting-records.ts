/** Settings of buckets are kept in an internal bucket that no client can name. */
import { SEPARATOR } from "./multipart-records.ts";

export const SETTINGS = ".settings";

export function settingKey(bucket: string, name: string): string {
  return settingPrefix(bucket) + name;
}

/** Common prefix of the keys of a bucket's settings. */
export function settingPrefix(bucket: string): string {
  return bucket + SEPARATOR;
}
