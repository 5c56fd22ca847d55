/**
 * Lets one coordinator at a time make a pass, and another continue it. The turn is a record, which its holder keeps
 * storing with the place that the pass has reached. Every write is conditional on the version that was read, so two
 * coordinators cannot both take the turn. Coordinators' clocks are not compared: a holder is considered dead when its
 * record has not changed for `staleMs`.
 */
import { randomBytes } from "node:crypto";
import type { Condition } from "@stashlight/write-path";
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";

/** Clients cannot use bucket names that begin with a dot. */
export const LIFECYCLE = ".lifecycle";
const KEY = "pass";

/** Last key that the pass has processed. */
export interface Place {
  readonly phase: "objects" | "uploads";
  readonly bucket: string;
  readonly after: string;
}

const START: Place = { phase: "objects", bucket: "", after: "" };

interface PassRecord {
  readonly holder: string;
  /** Null once the pass is complete. */
  readonly place: Place | null;
  readonly storedMs: number;
}

export interface PassTurnOptions {
  readonly vault: Pick<VaultVerbs, "get" | "put">;
  readonly steadyMs: () => number;
  readonly everyMs: number;
  readonly staleMs: number;
}

export class TurnLost extends Error {}

export class PassTurn {
  readonly #options: PassTurnOptions;
  readonly #holder = randomBytes(16).toString("hex");
  /** Version of the record that this coordinator stored or saw, and the time since which it has not changed. */
  #seen: { readonly uploadId: string; readonly sinceMs: number } | null = null;
  #storedMs = Number.NEGATIVE_INFINITY;

  constructor(options: PassTurnOptions) {
    this.#options = options;
  }

  /** Returns the place at which to start; null if no pass is due or another coordinator is making it. */
  async take(timeMs: number): Promise<Place | null> {
    const { vault, steadyMs, everyMs, staleMs } = this.#options;
    const found = await vault.get(LIFECYCLE, KEY);
    if (found === null) return await this.#store({ type: "absent" }, START, timeMs);
    const { uploadId } = found.upload;
    if (this.#seen?.uploadId !== uploadId) this.#seen = { uploadId, sinceMs: steadyMs() };
    const { holder, place, storedMs } = JSON.parse(Buffer.concat(found.parts).toString()) as PassRecord;
    const condition: Condition = { type: "version", uploadId };
    if (place === null) {
      // A time in the future was written by a wrong clock.
      const isDue = storedMs > timeMs || timeMs - storedMs >= everyMs;
      return isDue ? await this.#store(condition, START, timeMs) : null;
    }
    const isStale = holder === this.#holder || steadyMs() - this.#seen.sinceMs >= staleMs;
    return isStale ? await this.#store(condition, place, timeMs) : null;
  }

  /**
   * Stores the place if the last store is at least `staleMs / 6` ago, so it must be called often. Rejects with TurnLost
   * if another coordinator has the turn.
   */
  async keep(place: Place, timeMs: number): Promise<void> {
    const { steadyMs, staleMs } = this.#options;
    if (steadyMs() - this.#storedMs >= staleMs / 6) await this.#storeOwn(place, timeMs);
  }

  async end(timeMs: number): Promise<void> {
    await this.#storeOwn(null, timeMs);
  }

  async #storeOwn(place: Place | null, timeMs: number): Promise<void> {
    if (this.#seen === null) throw new TurnLost();
    const stored = await this.#store({ type: "version", uploadId: this.#seen.uploadId }, place, timeMs);
    if (place !== null && stored === null) throw new TurnLost();
  }

  /** Returns null if another coordinator was faster. */
  async #store<Stored extends Place | null>(
    condition: Condition,
    place: Stored,
    timeMs: number,
  ): Promise<Stored | null> {
    const { vault, steadyMs } = this.#options;
    const record: PassRecord = { holder: this.#holder, place, storedMs: timeMs };
    const bytes = Buffer.from(JSON.stringify(record));
    const object = { bucket: LIFECYCLE, key: KEY, bytes, etag: "", contentType: "", metadata: {} };
    try {
      // Even a full vault must store it, because rules could otherwise not free space.
      const { upload } = await vault.put(object, condition, { requestId: null, isVital: true });
      this.#seen = { uploadId: upload.uploadId, sinceMs: steadyMs() };
      this.#storedMs = steadyMs();
      return place;
    } catch (error) {
      const isOvertaken =
        error instanceof VaultError && (error.code === "precondition" || error.code === "conflict");
      if (!isOvertaken) throw error;
      return null;
    }
  }
}
