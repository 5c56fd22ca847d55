import type { AccessKeyPermission, AccessKeyRow } from "@stashlight/contracts/access-key";

export const permissionWords: Readonly<Record<AccessKeyPermission, string>> = {
  read: "read only",
  write: "read and write",
};

export function keyState({ isDisabled }: Pick<AccessKeyRow, "isDisabled">) {
  return isDisabled
    ? ({ label: "disabled", status: "unknown" } as const)
    : ({ label: "enabled", status: "good" } as const);
}

/** The buckets of a key, for a table cell. */
export function keyScope({ buckets, owner }: Pick<AccessKeyRow, "buckets" | "owner">): string {
  return buckets === null ? `all of ${owner}` : buckets.join(", ");
}
