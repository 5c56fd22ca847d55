/** Access keys, their owners, and their permissions. */

/** Owner of buckets and keys without an owner, such as those created before owners existed. */
export const DEFAULT_OWNER = "stashlight";

export interface AccessKey {
  readonly id: string;
  readonly secret: string;
  /** A key can access the buckets of its owner and no others. */
  readonly owner: string;
  /** Permission to write includes permission to read. */
  readonly permission: "read" | "write";
  /** The buckets that the key can access; "all" includes buckets that its owner creates later. */
  readonly buckets: "all" | readonly string[];
  readonly isDisabled: boolean;
}

/** Null for a key that does not exist. */
export type AccessKeyLookup = (accessKeyId: string) => AccessKey | null | Promise<AccessKey | null>;

export function mayUse(key: AccessKey, wish: "read" | "write", bucket: string | null): boolean {
  if (wish === "write" && key.permission !== "write") return false;
  return bucket === null || key.buckets === "all" || key.buckets.includes(bucket);
}
