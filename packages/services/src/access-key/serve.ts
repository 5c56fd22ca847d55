/** The access keys of a vault for its coordinators. The protocol is described in contracts' access-key.ts. */
import { createHash } from "node:crypto";
import type { ServedAccessKeys } from "@stashlight/contracts/access-key";
import { StashlightError } from "@stashlight/contracts/errors";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import { accessKeyColumns } from "@stashlight/db/columns/access-key";
import type { Base } from "../base.ts";
import { keyBuckets, openSecret, type StoredAccessKey } from "./stored.ts";

type ServedKey = Pick<
  StoredAccessKey,
  "id" | "accessKeyId" | "secretAccessKey" | "owner" | "permission" | "buckets" | "disabledAt"
>;

const servedSql = `
  SELECT id, access_key_id AS "accessKeyId", secret_access_key AS "secretAccessKey", owner, permission, buckets,
         disabled_at AS "disabledAt"
    FROM access_key WHERE vault = $1 ORDER BY access_key_id`;

/** Returns null if `knownRevision` is current. Only an approved coordinator receives keys, and only its own vault's. */
export async function serveAccessKeys(
  { metrics, options }: Pick<Base, "metrics" | "options">,
  { name, role, status, vault }: AuthenticatedNode,
  knownRevision: string | null,
): Promise<ServedAccessKeys | null> {
  if (role !== "coordinator") {
    throw new StashlightError("forbidden", `${name} is a ${role}; only coordinators receive access keys.`);
  }
  if (status !== "active") {
    throw new StashlightError("forbidden", `An admin has not approved ${name} yet.`);
  }
  const { rows: stored } = await metrics.query<ServedKey>(servedSql, [vault]);
  const revision = keysRevision(stored);
  if (revision === knownRevision) return null;
  const keys = stored.map((key) => ({
    id: key.accessKeyId,
    secret: openSecret(options.secret, key),
    owner: key.owner,
    permission: accessKeyColumns.permission.read(key.permission, key.id),
    buckets: keyBuckets(key),
    isDisabled: key.disabledAt !== null,
  }));
  return { revision, keys };
}

/** Hash of the keys with their sealed secrets, so that an unchanged list is recognised without opening any secret. */
function keysRevision(stored: readonly ServedKey[]): string {
  const parts = stored.map((key) => [
    key.accessKeyId,
    key.secretAccessKey,
    key.owner,
    key.permission,
    key.buckets,
    key.disabledAt !== null,
  ]);
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
