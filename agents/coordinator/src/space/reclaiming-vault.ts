/**
 * Wraps the vault for the store: when a write or deletion replaces a version that refers to pieces, those pieces go to
 * the collector. The version is read just before the write, and only for names that may hold a large object. If another
 * client writes the same name in between, the sweep finds the pieces of the version that was missed.
 */
import { type ObjectName, S3Error } from "@stashlight/s3";
import type { UploadHeader } from "@stashlight/write-path";
import { isInPieces } from "../records/encryption-record.ts";
import { manifestOf } from "../records/manifest.ts";
import { PARTS, unpackPartPieces } from "../records/multipart-records.ts";
import { PIECES, type PieceList } from "../records/pieces.ts";
import { VaultError } from "../vault/errors.ts";
import type { NewObject } from "../vault/objects.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { piecesOfObject } from "./bodies.ts";
import type { Collector } from "./collector.ts";
import type { LargeNames } from "./large-names.ts";
import type { Holds } from "./large-object-holds.ts";

export interface ReclaimingVaultOptions {
  readonly vault: VaultVerbs;
  readonly collector: Pick<Collector, "add">;
  readonly holds: Holds;
  readonly largeNames: LargeNames;
}

export function reclaimingVault({ vault, collector, holds, largeNames }: ReclaimingVaultOptions): VaultVerbs {
  const noted = <Header extends UploadHeader | null>(upload: Header): Header => {
    if (upload !== null && isInPieces(upload)) largeNames.add(upload);
    return upload;
  };

  /** Runs a write that replaces `replaced`, and queues those pieces even if the write's outcome is unknown. */
  const reclaiming = async <Result>(replaced: readonly PieceList[], write: () => Promise<Result>) => {
    try {
      const result = await write();
      collector.add(replaced);
      return result;
    } catch (error) {
      // Admission sheds uploads with an S3Error, before any of their data is stored.
      const isUndone =
        error instanceof S3Error || (error instanceof VaultError && error.code !== "unavailable");
      if (!isUndone) collector.add(replaced);
      throw error;
    }
  };

  return {
    head: async (bucket, key) => noted(await vault.head(bucket, key)),
    get: async (bucket, key) => {
      const found = await vault.get(bucket, key);
      noted(found?.upload ?? null);
      return found;
    },
    list: (bucket, range) => vault.list(bucket, range),
    put: async (object, condition, how) => {
      if (object.bucket === PIECES) return await vault.put(object, condition, how);
      const name = { bucket: object.bucket, key: object.key };
      const written = listsIn(object);
      if (written.length > 0 && !isInternal(object.bucket)) largeNames.add(name);
      const mayReplace = written.length > 0 || largeNames.mayHave(name);
      const present = mayReplace ? await listsAt(vault, name) : [];
      const writtenIds = new Set(written.map(({ id }) => id));
      const replaced = present.filter(({ id }) => !writtenIds.has(id));
      // Under load the upload may wait long for its turn, so its writer is checked afterwards.
      const onTurn = () => {
        for (const id of writtenIds) holds.checkFresh(id);
      };
      const stored = await reclaiming(replaced, () => vault.put(object, condition, { ...how, onTurn }));
      for (const id of writtenIds) holds.endWriting(id);
      return stored;
    },
    delete: async (bucket, key, condition) => {
      const name = { bucket, key };
      const replaced = !isInternal(bucket) && largeNames.mayHave(name) ? await listsAt(vault, name) : [];
      return await reclaiming(replaced, () => vault.delete(bucket, key, condition));
    },
  };
}

/** Clients cannot name a bucket that begins with a dot. */
const isInternal = (bucket: string): boolean => bucket.startsWith(".");

/** Bodies to which this object or part will refer. */
function listsIn({ bucket, metadata, bytes }: NewObject): readonly PieceList[] {
  if (bucket === PARTS) return [unpackPartPieces(metadata)];
  return manifestOf({ upload: { userMetadata: metadata }, parts: [bytes] })?.pieces ?? [];
}

/** Bodies to which the current object or part refers; if it is unreadable, they are left to the sweep. */
async function listsAt(vault: VaultVerbs, name: ObjectName): Promise<readonly PieceList[]> {
  try {
    if (name.bucket !== PARTS) return (await piecesOfObject(vault, name)).lists;
    const part = await vault.head(PARTS, name.key);
    return part === null ? [] : [unpackPartPieces(part.userMetadata)];
  } catch (error) {
    if (error instanceof VaultError) return [];
    throw error;
  }
}
