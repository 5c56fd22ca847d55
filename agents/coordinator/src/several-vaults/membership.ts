/** Records in the vaults which of them share an endpoint, so that none is served without the others. */
import { BUCKETS } from "../records/bucket-records.ts";
import { SEPARATOR, UPLOADS } from "../records/multipart-records.ts";
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { currentEpoch, parseLedger } from "./epoch-ledger.ts";
import { BOOK, EPOCHS, FIRST } from "./records.ts";
import { conditionOn } from "./stored-etag.ts";

export interface Member {
  readonly id: string;
  readonly name: string;
}

/** A vault with at least this many buckets is considered in use. */
const OWN_COUNT_MAX = 1000;
const FIRST_NAME = ":first-name";

type Reading = Pick<VaultVerbs, "head" | "get" | "list">;

/** Resolves with null if the vault may be served alone. Rejects with a VaultError while that is unknown. */
export async function troubleOfLoneVault(vault: Pick<VaultVerbs, "head" | "get">): Promise<string | null> {
  const trouble = await troubleOfFirst(vault);
  if (trouble !== null) return trouble;
  const found = await vault.get(EPOCHS, BOOK);
  if (found === null) return null;
  const book = parseLedger(Buffer.concat(found.parts));
  if (currentEpoch(book).number === 1) return null;
  const names = book.vaults.map(({ name }) => name).join(", ");
  return `The vaults ${names} are behind one endpoint; start the coordinator with the files of all of them, in this order.`;
}

/** Resolves with null if the vault is behind no other endpoint. */
export async function troubleOfFirst(vault: Pick<VaultVerbs, "head">): Promise<string | null> {
  const first = await vault.head(EPOCHS, FIRST);
  return first === null ? null : behind(first.userMetadata[FIRST_NAME] ?? first.etag);
}

const behind = (name: string): string =>
  `This vault is behind the endpoint of the vault ${name}; start the coordinator with the file of ${name} first, and then with this one.`;

/**
 * Adds the vault to the endpoint of `first`, for good. Resolves with the reason if that is impossible, or null. Rejects
 * with a VaultError while the vault is unreachable.
 */
export async function join(
  vault: Reading & Pick<VaultVerbs, "put">,
  own: Member,
  { first, firstVault }: { readonly first: Member; readonly firstVault: Pick<VaultVerbs, "head"> },
): Promise<string | null> {
  const present = await vault.head(EPOCHS, FIRST);
  if (present !== null) {
    if (present.etag === first.id) return null;
    return `The vault ${own.name} is behind the endpoint of ${present.userMetadata[FIRST_NAME] ?? "another vault"}.`;
  }
  if ((await vault.head(EPOCHS, BOOK)) !== null) {
    return `The vault ${own.name} is the first of an endpoint of its own; name its file first.`;
  }
  const bucket = await bucketOfItsOwn(vault, firstVault);
  if (bucket !== null)
    return `The vault ${own.name} has the bucket ${bucket} of its own; only an empty vault can be added.`;
  const record = { bucket: EPOCHS, key: FIRST, bytes: new Uint8Array(0), etag: first.id, contentType: "" };
  try {
    await vault.put({ ...record, metadata: { [FIRST_NAME]: first.name } }, conditionOn(null), {
      requestId: null,
      isPatient: true,
    });
    return null;
  } catch (error) {
    // Another coordinator was faster, perhaps one of another endpoint.
    if (error instanceof VaultError && error.code === "precondition")
      return await join(vault, own, { first, firstVault });
    throw error;
  }
}

/** Finds a bucket that prevents joining; one that the first vault also has, and that is empty here, does not. */
async function bucketOfItsOwn(
  vault: Pick<VaultVerbs, "list">,
  firstVault: Pick<VaultVerbs, "head">,
): Promise<string | null> {
  const { uploads: markers } = await vault.list(BUCKETS, {
    prefix: "",
    after: "",
    keyCountMax: OWN_COUNT_MAX,
  });
  if (markers.length === OWN_COUNT_MAX) return markers[0]?.key ?? null;
  for (const { key: bucket } of markers) {
    if ((await firstVault.head(BUCKETS, bucket)) === null) return bucket;
    const { uploads } = await vault.list(bucket, { prefix: "", after: "", keyCountMax: 1 });
    if (uploads.length > 0) return bucket;
  }
  const { uploads: begun } = await vault.list(UPLOADS, { prefix: "", after: "", keyCountMax: 1 });
  return begun[0]?.key.split(SEPARATOR, 1)[0] ?? null;
}
