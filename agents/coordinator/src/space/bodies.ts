/**
 * Finds bodies in pieces to which nothing refers: neither the object for which they were stored, nor a part of an open
 * multipart upload.
 */
import type { ObjectName } from "@stashlight/s3";
import type { UploadHeader } from "@stashlight/write-path";
import { isInPieces } from "../records/encryption-record.ts";
import { manifestOf } from "../records/manifest.ts";
import { PARTS, partKey, recordKey, UPLOADS, unpackPartPieces } from "../records/multipart-records.ts";
import { OWNER, type Owner, PIECES, type PieceList, pieceKey } from "../records/pieces.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { inParallel } from "./in-parallel.ts";
import { type HeldByName, hashOfName } from "./large-object-holds.ts";

export interface Body {
  readonly list: PieceList;
  readonly owner: Owner;
}

export interface UnreferencedBody extends Body {
  /** The owner's current version, which does not refer to the body; null if the object does not exist. */
  readonly presentUploadId: string | null;
  /** Key of a part's record that still names the body although its multipart upload has ended. */
  readonly leftPart: string | null;
}

const ASK_COUNT_MAX = 8;

export function pieceCountOf({ sizeBytes, pieceBytes }: PieceList): number {
  return Math.ceil(sizeBytes / pieceBytes);
}

export function ownerOf(piece: UploadHeader): Owner {
  return JSON.parse(piece.userMetadata[OWNER] as string) as Owner;
}

/**
 * Reads each body's owner from its first piece. Leaves out bodies without a first piece, which collectors delete last.
 */
export async function findBodies(vault: VaultVerbs, lists: readonly PieceList[]): Promise<Body[]> {
  const bodies: Body[] = [];
  await inParallel(lists, ASK_COUNT_MAX, async (list) => {
    const first = await vault.head(PIECES, pieceKey(list.id, 0));
    if (first !== null) bodies.push({ list, owner: ownerOf(first) });
  });
  return bodies;
}

/** Reads which pieces an object's current version has; a small object has none. */
export async function piecesOfObject(
  vault: VaultVerbs,
  { bucket, key }: ObjectName,
): Promise<{ readonly uploadId: string | null; readonly lists: readonly PieceList[] }> {
  const upload = await vault.head(bucket, key);
  if (upload === null || !isInPieces(upload)) return { uploadId: upload?.uploadId ?? null, lists: [] };
  // The list is the body, which the header does not carry; a newer version may have been written meanwhile.
  const found = await vault.get(bucket, key);
  const lists = (found && manifestOf(found)?.pieces) ?? [];
  return { uploadId: found?.upload.uploadId ?? null, lists };
}

/**
 * Checks multipart uploads before objects. Completing an upload stores the object first and removes the parts later, so
 * this order cannot miss a body on its way from one to the other.
 */
export async function findUnreferenced(
  vault: VaultVerbs,
  bodies: readonly Body[],
): Promise<UnreferencedBody[]> {
  const leftParts = new Map<Body, string | null>();
  await inParallel(bodies, ASK_COUNT_MAX, async (body) => {
    const part = await findPart(vault, body);
    if (part.isOpen) return;
    leftParts.set(body, part.left);
  });
  const byName = Map.groupBy(leftParts.keys(), ({ owner: { bucket, key } }) => `${bucket}/${key}`);
  const unreferenced: UnreferencedBody[] = [];
  await inParallel(byName.values(), ASK_COUNT_MAX, async (ofName) => {
    const [{ owner }] = ofName as [Body];
    const present = await piecesOfObject(vault, owner);
    const referencedIds = new Set(present.lists.map(({ id }) => id));
    for (const body of ofName) {
      const leftPart = leftParts.get(body) ?? null;
      if (!referencedIds.has(body.list.id))
        unreferenced.push({ ...body, presentUploadId: present.uploadId, leftPart });
    }
  });
  return unreferenced;
}

/** Returns whether the body is a part of an open multipart upload, or only named by a record left behind. */
async function findPart(
  vault: VaultVerbs,
  { list, owner: { bucket, key, uploadId, partNumber } }: Body,
): Promise<{ readonly isOpen: boolean; readonly left: string | null }> {
  if (uploadId === undefined || partNumber === undefined) return { isOpen: false, left: null };
  const upload = await vault.head(UPLOADS, recordKey({ bucket, key, uploadId }));
  const partName = partKey(uploadId, partNumber);
  const part = await vault.head(PARTS, partName);
  if (part === null || unpackPartPieces(part.userMetadata).id !== list.id)
    return { isOpen: false, left: null };
  return upload === null ? { isOpen: false, left: partName } : { isOpen: true, left: null };
}

/** Returns whether any hold still needs the body. */
export function isHeld({ list, owner, presentUploadId }: UnreferencedBody, byName: HeldByName): boolean {
  for (const { kind, id } of byName.get(hashOfName(owner)) ?? []) {
    // Readers of the current version do not need the body, because that version does not refer to it.
    if (kind === "read" && id !== presentUploadId) return true;
    if (kind === "write" && id === list.id) return true;
    if (kind === "completion" && id === owner.uploadId) return true;
  }
  return false;
}
