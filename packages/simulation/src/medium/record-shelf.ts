/** The records of a medium, and what a sync, a crash, a power cut and rot make of them. */
import type { Outcome, Shard, UploadId } from "@stashlight/write-path";
import type { MediumOptions, Position } from "./medium.ts";

export interface RecordOfShard {
  readonly position: Position;
  readonly shard: Shard;
  /** What the node wants its next boot to know, which a boot may or may not be told. */
  outcome: Outcome | null;
  /** `clean`: a failed sync left it in the page cache as if it were on the medium. */
  state: "cached" | "clean" | "durable";
  isRotten: boolean;
  /** Killed in memory; the medium learns of it with the next sync. */
  isKilled: boolean;
}

export class RecordShelf {
  readonly #options: Pick<MediumOptions, "witness" | "counters" | "random">;
  #records = new Map<Position, RecordOfShard>();

  constructor(options: Pick<MediumOptions, "witness" | "counters" | "random">) {
    this.#options = options;
  }

  get durableCount(): number {
    return this.#readable().length;
  }

  put(record: RecordOfShard): void {
    this.#records.set(record.position, record);
  }

  get(position: Position): RecordOfShard | undefined {
    return this.#records.get(position);
  }

  all(): RecordOfShard[] {
    return [...this.#records.values()];
  }

  cached(): RecordOfShard[] {
    return this.all().filter(({ state }) => state === "cached");
  }

  #readable(): RecordOfShard[] {
    return this.all().filter(
      ({ state, isRotten, isKilled }) => state === "durable" && !isRotten && !isKilled,
    );
  }

  makeDurable(record: RecordOfShard): void {
    record.state = "durable";
    if (!record.isKilled) this.#options.witness.durable(record.shard);
    this.#dropReplaced(record);
  }

  /** A log keeps one record of a name: the earlier one goes when a later one is durable. */
  #dropReplaced({ position, shard }: RecordOfShard): void {
    for (const other of this.all()) {
      if (other.position >= position || keyOfRecord(other) !== keyOfRecord({ shard })) continue;
      this.#records.delete(other.position);
      const isHeld = other.state === "durable" && !other.isRotten && !other.isKilled;
      if (isHeld) this.#options.witness.retracted(shard.upload.uploadId, shard.shardIndex);
    }
  }

  /** Lets go of a record; of one that a later record of its name has replaced, nothing is left to let go of. */
  kill(position: Position): void {
    const record = this.#records.get(position);
    if (!record || record.isKilled || this.#isReplaced(record)) return;
    record.isKilled = true;
    const { upload, shardIndex } = record.shard;
    this.#options.witness.killed(upload.uploadId, shardIndex, record.state === "durable" && !record.isRotten);
  }

  /** Returns the records whose kill has reached the medium. */
  dropKilled(): RecordOfShard[] {
    const killed = this.all().filter(({ isKilled }) => isKilled);
    for (const { position } of killed) this.#records.delete(position);
    return killed;
  }

  /** What recovery reads counts only after it has been synced. */
  recover(): void {
    for (const record of this.#records.values()) {
      if (record.state !== "durable") this.makeDurable(record);
      // A kill that did not reach the medium is forgotten.
      if (record.isKilled && !record.isRotten) this.#options.witness.durable(record.shard);
      record.isKilled = false;
    }
  }

  #isReplaced(record: RecordOfShard): boolean {
    return this.all().some(
      (other) => other.position > record.position && keyOfRecord(other) === keyOfRecord(record),
    );
  }

  crash(): void {
    for (const { position, state, isKilled } of this.all()) {
      // A page that a failed sync called clean is dropped as soon as memory is wanted.
      if (state === "clean" || (isKilled && state !== "durable")) this.#records.delete(position);
    }
  }

  powerCut(): void {
    const { counters, random } = this.#options;
    for (const record of this.#records.values()) {
      if (record.state === "durable") continue;
      const isKept = record.state === "cached" && random.chance(0.4);
      counters.add(isKept ? "unsynced record kept" : "unsynced record dropped");
      if (isKept) this.makeDurable(record);
      else this.#records.delete(record.position);
    }
  }

  replace(): void {
    for (const record of this.#records.values()) this.#lose(record);
    this.#records = new Map();
  }

  /** Returns whether there was a record to damage. */
  rot(): boolean {
    const readable = this.#readable();
    if (readable.length === 0) return false;
    const record = this.#options.random.pick(readable);
    this.#lose(record);
    record.isRotten = true;
    return true;
  }

  /** Returns whether there was a payload of this upload to damage. */
  rotPayload(uploadId: UploadId): boolean {
    const record = this.#readable().find(({ shard }) => shard.upload.uploadId === uploadId);
    if (record === undefined || record.shard.payload.length === 0) return false;
    this.#lose(record);
    record.isRotten = true;
    return true;
  }

  #lose({ state, isKilled, isRotten, shard }: RecordOfShard): void {
    if (state !== "durable" || isKilled || isRotten) return;
    this.#options.witness.lost(shard.upload.uploadId, shard.shardIndex);
  }
}

function keyOfRecord({ shard }: Pick<RecordOfShard, "shard">): string {
  return `${shard.upload.uploadId}.${shard.shardIndex}`;
}
