/** Access keys and what they may do. */

export interface AccessKey {
  readonly id: string;
  readonly secret: string;
  /** Who writes may also read. */
  readonly permission: "read" | "write";
  /** The buckets that the key sees; all of them, those created later included, or these. */
  readonly buckets: "all" | readonly string[];
}

/** Null for a key that does not exist. */
export type AccessKeyLookup = (accessKeyId: string) => AccessKey | null | Promise<AccessKey | null>;

export function mayUse(key: AccessKey, wish: "read" | "write", bucket: string | null): boolean {
  if (wish === "write" && key.permission !== "write") return false;
  return bucket === null || key.buckets === "all" || key.buckets.includes(bucket);
}
