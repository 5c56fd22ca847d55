/**
 * The markers of buckets, in all vaults. The first vault decides whether a bucket exists; the others have copies, so
 * that buckets are known while the first is unreachable, and each vault can be read alone.
 *
 *     create   in the first, then copies; a copy that fails is made later (leftovers.ts)
 *     delete   the copies, then in the first; until then the bucket exists
 */
import type { Condition, UploadHeader } from "@stashlight/write-path";
import { BUCKETS } from "../records/bucket-records.ts";
import { VaultError } from "../vault/errors.ts";
import type { ListRange } from "../vault/list-in-rounds.ts";
import type { NewObject, PutOptions, StoredUpload } from "../vault/objects.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { conditionOn } from "./stored-etag.ts";

const ALWAYS: Condition = { type: "none" };
const PAGE_KEY_COUNT = 1000;
const NOTHING = new Uint8Array(0);

export class BucketMarkers {
  readonly #vaults: readonly VaultVerbs[];
  readonly #isMember: (vault: number) => boolean;

  /** A vault that is not a member yet, or was refused, may have its own buckets, which are not copies. */
  constructor(vaults: readonly VaultVerbs[], isMember: (vault: number) => boolean) {
    this.#vaults = vaults;
    this.#isMember = isMember;
  }

  get #first(): VaultVerbs {
    return this.#vaults[0] as VaultVerbs;
  }

  get #others(): readonly VaultVerbs[] {
    return this.#vaults.filter((_, index) => index > 0 && this.#isMember(index));
  }

  /** While the first vault is unreachable, a bucket without copies may still exist. */
  head(bucket: string): Promise<UploadHeader | null> {
    return this.#askingOthers(
      (vault) => vault.head(BUCKETS, bucket),
      (found) => found !== null,
    );
  }

  list(range: ListRange): ReturnType<VaultVerbs["list"]> {
    return this.#first.list(BUCKETS, range);
  }

  async #askingOthers<Found>(
    look: (vault: VaultVerbs) => Promise<Found>,
    isEnough: (found: Found) => boolean,
  ): Promise<Found> {
    try {
      return await look(this.#first);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      for (const vault of this.#others) {
        const found = await look(vault).catch(rethrowUnlessUnavailable);
        if (found !== undefined && isEnough(found)) return found;
      }
      throw error;
    }
  }

  async put(marker: NewObject, condition: Condition, how: PutOptions): Promise<StoredUpload> {
    const stored = await this.#first.put(marker, condition, how);
    await Promise.all(
      this.#others.map((vault) => vault.put(marker, ALWAYS, how).catch(rethrowUnlessRefused)),
    );
    return stored;
  }

  async delete(bucket: string): Promise<UploadHeader> {
    await Promise.all(this.#others.map((vault) => vault.delete(BUCKETS, bucket)));
    return await this.#first.delete(BUCKETS, bucket);
  }

  /** Updates the copies from the first vault's markers. `isOld` spares buckets that are being created or deleted. */
  async repair(isOld: (marker: UploadHeader) => boolean): Promise<string[]> {
    const markers = await allIn(this.#first);
    for (const vault of this.#others) {
      const copies = await allIn(vault);
      for (const [bucket, marker] of markers) {
        const copy = copies.get(bucket) ?? null;
        if (copy?.etag !== marker.etag && isOld(marker)) await this.#copy(marker, vault, copy);
      }
      for (const [bucket, copy] of copies) {
        if (markers.has(bucket) || !isOld(copy)) continue;
        if ((await this.#first.head(BUCKETS, bucket)) === null) await vault.delete(BUCKETS, bucket);
      }
    }
    return [...markers.keys()];
  }

  /** Removes the copy again if the marker has been deleted meanwhile, so that a deleted bucket does not come back. */
  async #copy(
    { key, etag, contentType, userMetadata: metadata }: UploadHeader,
    vault: VaultVerbs,
    present: UploadHeader | null,
  ): Promise<void> {
    const copy = { bucket: BUCKETS, key, bytes: NOTHING, etag, contentType, metadata };
    await vault
      .put(copy, conditionOn(present), { requestId: null, isPatient: true })
      .catch(rethrowUnlessRefused);
    if ((await this.#first.head(BUCKETS, key)) === null) await vault.delete(BUCKETS, key);
  }
}

async function allIn(vault: VaultVerbs): Promise<Map<string, UploadHeader>> {
  const markers = new Map<string, UploadHeader>();
  for (let after = ""; ; ) {
    const page = await vault.list(BUCKETS, { prefix: "", after, keyCountMax: PAGE_KEY_COUNT });
    for (const marker of page.uploads) markers.set(marker.key, marker);
    if (!page.isTruncated) return markers;
    after = page.uploads.at(-1)?.key ?? after;
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof VaultError && error.code === "unavailable";
}

function rethrowUnlessUnavailable(error: unknown): undefined {
  if (!isUnavailable(error)) throw error;
}

function rethrowUnlessRefused(error: unknown): undefined {
  if (!(error instanceof VaultError)) throw error;
}
