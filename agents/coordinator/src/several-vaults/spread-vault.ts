/**
 * Several vaults as one, for everything that stores and reads objects.
 *
 *   client's keys by the epochs of the ledger (placement.ts); the newest version counts (copies.ts)
 *   .buckets in all vaults; the first decides (bucket-markers.ts)
 *   .pieces .parts .uploads in the vault that their id names (vault-ids.ts)
 *   others in the first vault
 *
 * Every write of a key goes to the vault of the current epoch, which decides conditions by a vote of its pods. Other
 * vaults hold at most older versions, which no longer change, so they may be read before the vote. They are deleted
 * later (leftovers.ts), when no write that has read them can be in progress; if a vault is unreachable, its versions
 * wait.
 *
 * A deletion of a key that another vault holds, or may hold, is a record in the vault of the current epoch.
 */
import type { Condition, UploadHeader } from "@stashlight/write-path";
import { BUCKETS } from "../records/bucket-records.ts";
import { PARTS, SEPARATOR, UPLOADS } from "../records/multipart-records.ts";
import { PIECES } from "../records/pieces.ts";
import { VaultError } from "../vault/errors.ts";
import type { NewObject, PutOptions, StoredObject, StoredUpload } from "../vault/objects.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import type { BucketMarkers } from "./bucket-markers.ts";
import { type Answer, askAll, findNewest, newestOf, vaultsOf } from "./copies.ts";
import { type ListedKey, mergedList } from "./merged-list.ts";
import type { KeyName, Segment } from "./placement.ts";
import { conditionOn, epochOf, goneMarker, isGone, ofEpoch, withPlainEtag } from "./stored-etag.ts";
import { vaultOfId } from "./vault-ids.ts";
import type { GatedWrite, WriteGate } from "./write-gate.ts";

export interface SpreadVaultOptions {
  /** By index in the ledger. */
  readonly vaults: readonly VaultVerbs[];
  readonly turns: WriteGate;
  readonly markers: BucketMarkers;
  /** Called for each key with a version to be deleted that another vault may hold. */
  readonly mayHaveLeftovers: (name: KeyName) => void;
  /**
   * Called if the vault refused a write for lack of space. Resolves with whether another vault accepts the key from now
   * on.
   */
  readonly passOver: (vault: number) => Promise<boolean>;
  /**
   * True if another reachable vault would soon take over the keys of this one. Null stands for a key that an epoch
   * in progress moves.
   */
  readonly mayBeTakenOver: (vault: number | null) => boolean;
  readonly nowMs: () => number;
  readonly wait: (durationMs: number) => Promise<unknown>;
}

/** Validity of a read from other vaults; the write must have been sent by then. */
const READ_VALID_MS = 10_000;
const PASS_COUNT_MAX = 3;
/**
 * Limit for a write whose vault is unreachable, and which is retried meanwhile: a vault is passed over a few seconds
 * after it became unreachable, and a restarting agent is back as fast.
 */
const TAKEN_OVER_WITHIN_MS = 30_000;
const TRY_AGAIN_EVERY_MS = 200;
/** Limited because each waiting write holds its body (up to 1 MiB) in memory that uploads to other vaults need. */
export const WAITING_WRITES_MAX = 32;
/** More changes between reading and writing than this mean that clients compete for the key. */
const CONDITION_COUNT_MAX = 5;

class OutOfDate extends Error {}

/** Limit on writes of a coordinator that wait for their vault, or for another one. */
interface WaitingWrites {
  count: number;
}

export function spreadVault(options: SpreadVaultOptions): VaultVerbs {
  const { turns, markers } = options;
  const waiting: WaitingWrites = { count: 0 };
  const vaultAt = (index: number): VaultVerbs => (options.vaults[index] ?? options.vaults[0]) as VaultVerbs;
  const fixed = (bucket: string, key: string): VaultVerbs | null => {
    const index = fixedVaultOf(bucket, key);
    return index === null ? null : vaultAt(index);
  };
  /**
   * The first vault has every bucket's marker, and accepts one even when full, while other vaults accept the objects.
   */
  const putMarker: VaultVerbs["put"] = async (marker, condition, how) => {
    try {
      return await markers.put(marker, condition, how);
    } catch (error) {
      if (!isFull(error) || !(await options.passOver(0))) throw error;
      return await markers.put(marker, condition, { ...how, isVital: true });
    }
  };

  return {
    head: async (bucket, key) => {
      if (bucket === BUCKETS) return await markers.head(key);
      const vault = fixed(bucket, key);
      if (vault !== null) return await vault.head(bucket, key);
      const look = (index: number) => vaultAt(index).head(bucket, key);
      const newest = await findNewest(turns.segments({ bucket, key }), look, (found) => found);
      return newest === null ? null : shown(newest.found);
    },
    get: async (bucket, key) => {
      const vault = fixed(bucket, key);
      if (vault !== null) return await vault.get(bucket, key);
      const look = (index: number) => vaultAt(index).get(bucket, key);
      const newest = await findNewest(turns.segments({ bucket, key }), look, ({ upload }) => upload);
      if (newest === null || isGone(newest.found.upload)) return null;
      return { ...newest.found, upload: withPlainEtag(newest.found.upload) } satisfies StoredObject;
    },
    list: async (bucket, range) => {
      if (bucket === BUCKETS) return await markers.list(range);
      if (bucket === PARTS) return await vaultAt(vaultOfId(idOf(range.prefix))).list(bucket, range);
      if (bucket === UPLOADS || bucket === PIECES) {
        return await mergedList(options.vaults, bucket, range, anyVersion);
      }
      if (bucket.startsWith(".")) return await vaultAt(0).list(bucket, range);
      return await mergedList(options.vaults, bucket, range, (listed) => {
        return shown(newestListed(listed));
      });
    },
    put: async (object, condition, how) => {
      const { bucket, key } = object;
      if (bucket === BUCKETS) return await putMarker(object, condition, how);
      const vault = fixed(bucket, key);
      if (vault !== null) return await vault.put(object, condition, how);
      return await new Write({ options, waiting }, { bucket, key }, condition).put(object, how);
    },
    delete: async (bucket, key, condition = { type: "none" }) => {
      if (bucket === BUCKETS) return await markers.delete(key);
      const vault = fixed(bucket, key);
      if (vault !== null) return await vault.delete(bucket, key, condition);
      return await new Write({ options, waiting }, { bucket, key }, condition).delete();
    },
  };
}

/** Returns null for clients' keys, which epochs place. */
function fixedVaultOf(bucket: string, key: string): number | null {
  if (bucket === PIECES || bucket === PARTS) return vaultOfId(idOf(key));
  if (bucket === UPLOADS) return vaultOfId(key.slice(key.lastIndexOf(SEPARATOR) + 1));
  return bucket.startsWith(".") ? 0 : null;
}

/** Id with which the keys of pieces and parts begin. */
const idOf = (key: string): string => key.split("/", 1)[0] as string;

function shown(version: UploadHeader): UploadHeader | null {
  return isGone(version) ? null : withPlainEtag(version);
}

function anyVersion({ versions }: ListedKey): UploadHeader | null {
  return versions.values().next().value ?? null;
}

function newestListed({ versions }: ListedKey): UploadHeader {
  const [first, ...others] = versions.values();
  const newer = (best: UploadHeader, other: UploadHeader) => (epochOf(other) > epochOf(best) ? other : best);
  return others.reduce(newer, first as UploadHeader);
}

/** Versions of a key in the vaults before it is written. */
interface Look {
  readonly atMs: number;
  readonly answers: ReadonlyMap<number, Answer<UploadHeader>>;
  /** Version in the vault that accepts the key, whether or not it is current. */
  readonly atHome: UploadHeader | null;
}

/** One write of a client's key. */
class Write {
  readonly #options: SpreadVaultOptions;
  readonly #waiting: WaitingWrites;
  readonly #name: KeyName;
  readonly #condition: Condition;

  constructor(
    { options, waiting }: { readonly options: SpreadVaultOptions; readonly waiting: WaitingWrites },
    name: KeyName,
    condition: Condition,
  ) {
    this.#options = options;
    this.#waiting = waiting;
    this.#name = name;
    this.#condition = condition;
  }

  put(object: NewObject, how: PutOptions): Promise<StoredUpload> {
    // A repeated conditional write could match the version that its first attempt stored.
    const isRepeatable = this.#condition.type === "none";
    return this.#inTurn({ isRepeatable }, async (turn) => {
      const home = this.#home(turn.segments);
      const stored = await this.#onCondition(turn.segments, async (condition, checkFresh) => {
        const onTurn = (): void => {
          how.onTurn?.();
          checkFresh();
        };
        return await home.put(ofEpoch(object, turn.epoch), condition, { ...how, onTurn });
      });
      if (vaultsOf(turn.segments).length > 1) this.#options.mayHaveLeftovers(this.#name);
      return { ...stored, upload: withPlainEtag(stored.upload) };
    });
  }

  delete(): Promise<UploadHeader> {
    return this.#inTurn({ isRepeatable: false }, ({ segments, epoch }) =>
      this.#onCondition(segments, async (condition, checkFresh, seen) => {
        const { bucket, key } = this.#name;
        const home = this.#home(segments);
        const [, ...others] = vaultsOf(segments);
        const look = seen ?? (others.length === 0 ? null : await this.#look(segments));
        if (look === null || areAbsent(others, look)) return await home.delete(bucket, key, condition);
        return await this.#hide(segments, look, { epoch, condition, onTurn: checkFresh });
      }),
    );
  }

  async #hide(
    segments: readonly Segment[],
    look: Look,
    { epoch, condition, onTurn }: Pick<GatedWrite, "epoch"> & { condition: Condition; onTurn: () => void },
  ): Promise<UploadHeader> {
    const { bucket, key } = this.#name;
    try {
      const how = { requestId: null, isPatient: true, onTurn };
      const { upload } = await this.#home(segments).put(goneMarker(bucket, key, epoch), condition, how);
      this.#options.mayHaveLeftovers(this.#name);
      return { ...withPlainEtag(upload), kind: "tombstone" };
    } catch (error) {
      if (!isFull(error)) throw error;
      return await this.#deleteEverywhere(segments, look);
    }
  }

  /**
   * A full vault refuses clients' new records as it refuses the marker, so no write can come in between. Deletes the
   * oldest versions first, because each hides older ones.
   */
  async #deleteEverywhere(segments: readonly Segment[], { answers }: Look): Promise<UploadHeader> {
    const { bucket, key } = this.#name;
    const byAge = [...answers].map(([vault, answer]) => {
      if (answer.type === "unavailable") throw answer.error;
      return { vault, version: answer.found };
    });
    const held = byAge.flatMap(({ vault, version }) =>
      version === null ? [] : [{ vault, version, epoch: epochOf(version) }],
    );
    let deleted: UploadHeader | null = null;
    for (const { vault, version } of held.sort((a, b) => a.epoch - b.epoch)) {
      deleted = await this.#vaultAt(vault).delete(bucket, key, conditionOn(version));
    }
    return deleted ?? (await this.#home(segments).delete(bucket, key));
  }

  /**
   * Runs the work in the current epoch; retries it after passing over a full vault, and while an unreachable vault may
   * still be passed over.
   */
  async #inTurn<Result>(
    { isRepeatable }: { readonly isRepeatable: boolean },
    work: (turn: GatedWrite) => Promise<Result>,
  ): Promise<Result> {
    const { passOver, mayBeTakenOver, nowMs, wait } = this.#options;
    const untilMs = nowMs() + TAKEN_OVER_WITHIN_MS;
    for (let count = 1; ; ) {
      const tried = await this.#tryInTurn(work);
      if (tried.type === "done") return tried.result;
      const { vault, refusal } = tried;
      if (isRepeatable && isUnavailable(refusal) && mayBeTakenOver(vault) && nowMs() < untilMs) {
        await this.#wait(wait, refusal);
        continue;
      }
      const isFullVault = vault !== null && isFull(refusal) && count < PASS_COUNT_MAX;
      if (!isFullVault || !(await passOver(vault))) throw refusal;
      count += 1;
    }
  }

  async #wait(wait: SpreadVaultOptions["wait"], refusal: unknown): Promise<void> {
    if (this.#waiting.count >= WAITING_WRITES_MAX) throw refusal;
    this.#waiting.count += 1;
    try {
      await wait(TRY_AGAIN_EVERY_MS);
    } finally {
      this.#waiting.count -= 1;
    }
  }

  /** The vault that refused; null if the epoch that moves the key did not begin in time. */
  async #tryInTurn<Result>(
    work: (turn: GatedWrite) => Promise<Result>,
  ): Promise<
    | { readonly type: "done"; readonly result: Result }
    | { readonly type: "refused"; readonly vault: number | null; readonly refusal: unknown }
  > {
    const { turns } = this.#options;
    let turn: GatedWrite | null = null;
    try {
      turn = await turns.begin(this.#name);
      return { type: "done", result: await work(turn) };
    } catch (refusal) {
      return { type: "refused", vault: turn === null ? null : (turn.segments[0]?.vault ?? 0), refusal };
    } finally {
      turn?.end();
    }
  }

  /**
   * Calls `write` with the condition for the vault that accepts the key; repeats it if the data read before has become
   * too old, or if the vault holds another version although the client's condition is met.
   */
  async #onCondition<Result>(
    segments: readonly Segment[],
    write: (condition: Condition, checkFresh: () => void, seen: Look | null) => Promise<Result>,
  ): Promise<Result> {
    if (this.#condition.type === "none") return await write(this.#condition, () => {}, null);
    for (let count = 1; count <= CONDITION_COUNT_MAX; count += 1) {
      const look = await this.#look(segments);
      const condition = this.#conditionAfter(segments, look);
      try {
        return await write(condition, () => this.#checkFresh(look), look);
      } catch (error) {
        const isToRepeat =
          error instanceof OutOfDate || (error instanceof VaultError && error.code === "precondition");
        if (!isToRepeat) throw error;
      }
    }
    throw new VaultError("conflict");
  }

  async #look(segments: readonly Segment[]): Promise<Look> {
    const atMs = this.#options.nowMs();
    const { bucket, key } = this.#name;
    const answers = await askAll(segments, (vault) => this.#vaultAt(vault).head(bucket, key));
    const [home] = answers.values();
    if (home?.type !== "said") throw home?.error ?? new VaultError("unavailable");
    return { atMs, answers, atHome: home.found };
  }

  #checkFresh({ atMs }: Look): void {
    if (this.#options.nowMs() - atMs > READ_VALID_MS) throw new OutOfDate();
  }

  /** Throws if the condition is not met. */
  #conditionAfter(segments: readonly Segment[], { answers, atHome }: Look): Condition {
    const wanted = this.#condition;
    const newest = newestOf(segments, answers, (found) => found);
    const present = newest === null ? null : shown(newest.found);
    if (!isMet(wanted, present)) throw new VaultError("precondition");
    // The vault holds this version, or another vault does, where it cannot change.
    if (wanted.type === "version" && atHome?.uploadId === wanted.uploadId) return wanted;
    return conditionOn(atHome);
  }

  #vaultAt(index: number): VaultVerbs {
    return this.#options.vaults[index] as VaultVerbs;
  }

  #home(segments: readonly Segment[]): VaultVerbs {
    return this.#vaultAt(segments[0]?.vault ?? 0);
  }
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof VaultError && error.code === "unavailable";
const isFull = (error: unknown): boolean => error instanceof VaultError && error.code === "full";

function isMet(condition: Condition, present: UploadHeader | null): boolean {
  switch (condition.type) {
    case "none":
      return true;
    case "absent":
      return present === null;
    case "etag":
      return present?.etag === condition.etag;
    case "version":
      return present?.uploadId === condition.uploadId;
  }
}

/** True if these vaults are known to hold nothing, so that a tombstone hides no version that could come back. */
function areAbsent(others: readonly number[], { answers }: Look): boolean {
  return others.every((vault) => {
    const answer = answers.get(vault);
    return answer?.type === "said" && answer.found === null;
  });
}
