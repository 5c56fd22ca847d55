/**
 * Records in the first vault that name the coordinators able to read a merged ledger. Earlier versions cannot, so
 * epochs are merged only once each coordinator has its record. No record is written until there is something to merge,
 * so that an update can be reverted until then.
 */
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { EPOCHS } from "./records.ts";

const recordKey = (coordinatorId: string): string => `reads-merged/${coordinatorId}`;

/** Writes this coordinator's record; resolves with the coordinators that have none. Rejects with a VaultError. */
export async function coordinatorsWithoutRecord(
  vault: Pick<VaultVerbs, "head" | "put">,
  ownId: string,
  coordinatorIds: readonly string[],
): Promise<string[]> {
  const records = await Promise.all(
    coordinatorIds.map(async (id) => ({ id, record: await vault.head(EPOCHS, recordKey(id)) })),
  );
  const missing = records.flatMap(({ id, record }) => (record === null ? [id] : []));
  if (missing.includes(ownId)) await putRecord(vault, ownId);
  return missing.filter((id) => id !== ownId);
}

async function putRecord(vault: Pick<VaultVerbs, "put">, id: string): Promise<void> {
  const record = {
    bucket: EPOCHS,
    key: recordKey(id),
    bytes: new Uint8Array(0),
    contentType: "",
    metadata: {},
  };
  // Even a full first vault stores the record, because an epoch that passes over it may depend on the merge.
  const how = { requestId: null, isPatient: true, isVital: true };
  try {
    await vault.put({ ...record, etag: "2" }, { type: "absent" }, how);
  } catch (error) {
    if (!(error instanceof VaultError) || error.code !== "precondition") throw error;
  }
}
