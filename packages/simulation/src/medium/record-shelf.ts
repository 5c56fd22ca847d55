/** The records of a medium, and the effects of a sync, a crash, a power cut and rot on them. */
import type { Outcome, Shard, UploadId } from "@stashlight/write-path";
import type { MediumOptions, Position } from "./medium.ts";

export interface RecordOfShard {
  readonly position: Position;
  readonly shard: Shard;
  /** State that the node wants its next boot to know, which may or may not reach it. */
  outcome: Outcome | null;
  /** `clean`: a failed sync left it in the page cache marked as if it were on the medium. */
  state: "cached" | "clean" | "durable";
  isRotten: boolean;
  /** Killed in memory; the next sync removes the record from the medium. */
  isKilled: boolean;
  /** Number of positions of this record that the node still holds. */
  holderCount: number;
}

export class RecordShelf {
  readonly #options: Pick<MediumOptions, "witness" | "counters" | "random">;
  #records = new Map<Position, RecordOfShard>();
  /** New position of each record that was replaced, by its old position. */
  #replacedBy = new Map<Position, Position>();
  /** Number of announced records per name that have not been put yet. */
  readonly #expected = new Map<string, number>();

  constructor(options: Pick<MediumOptions, "witness" | "counters" | "random">) {
    this.#options = options;
  }

  get durableCount(): number {
    return this.#readable().length;
  }

  /** Announces a record that will be put, unless a crash or a power cut comes first. */
  expect(record: RecordOfShard): void {
    const name = shardRecordName(record);
    this.#expected.set(name, (this.#expected.get(name) ?? 0) + 1);
  }

  put(record: RecordOfShard): void {
    const name = shardRecordName(record);
    this.#expected.set(name, (this.#expected.get(name) ?? 0) - 1);
    this.#records.set(record.position, record);
  }

  get(position: Position): RecordOfShard | undefined {
    const replacement = this.#replacedBy.get(position);
    return replacement === undefined ? this.#records.get(position) : this.get(replacement);
  }

  all(): RecordOfShard[] {
    return [...this.#records.values()];
  }

  cached(): RecordOfShard[] {
    return this.all().filter(({ state }) => state === "cached");
  }

  #readable(): RecordOfShard[] {
    return this.all().filter(isHeld);
  }

  makeDurable(record: RecordOfShard): void {
    // A sync makes its records durable one by one, and a later record of the same name may already have replaced this
    // one.
    if (this.#records.get(record.position) !== record) return;
    record.state = "durable";
    const others = this.#namesakesOf(record);
    const later = others.find(({ position, state }) => position > record.position && state === "durable");
    if (later !== undefined) {
      this.#replace(record, later);
      return;
    }
    if (!record.isKilled) this.#options.witness.durable(record.shard);
    for (const other of others) {
      if (other.position > record.position) continue;
      if (isHeld(other))
        this.#options.witness.retracted(record.shard.upload.uploadId, record.shard.shardIndex);
      this.#replace(other, record);
    }
  }

  /** A log keeps one record per name: the earlier one goes when a later one is durable. */
  #replace(earlier: RecordOfShard, later: RecordOfShard): void {
    this.#records.delete(earlier.position);
    this.#replacedBy.set(earlier.position, later.position);
    later.holderCount += earlier.holderCount;
  }

  /** Drops a position. If a shard was sent twice, its record goes only with the last of its positions. */
  kill(position: Position): void {
    const record = this.get(position);
    if (record === undefined || record.isKilled) return;
    record.holderCount -= 1;
    const namesakes = [record, ...this.#namesakesOf(record)];
    const isMeant = namesakes.some(({ holderCount }) => holderCount > 0);
    if (isMeant || (this.#expected.get(shardRecordName(record)) ?? 0) > 0) return;
    const wasDurable = namesakes.some(isHeld);
    for (const namesake of namesakes) namesake.isKilled = true;
    const { upload, shardIndex } = record.shard;
    this.#options.witness.killed(upload.uploadId, shardIndex, wasDurable);
  }

  #namesakesOf(record: RecordOfShard): RecordOfShard[] {
    return this.all().filter(
      (other) => other !== record && shardRecordName(other) === shardRecordName(record),
    );
  }

  /** Returns the records whose kill has reached the medium. */
  dropKilled(): RecordOfShard[] {
    const killed = this.all().filter(({ isKilled }) => isKilled);
    for (const { position } of killed) this.#records.delete(position);
    return killed;
  }

  /** Records read by recovery count only after a sync. */
  recover(): void {
    for (const record of this.#records.values()) {
      if (record.state !== "durable") this.makeDurable(record);
      // A kill that did not reach the medium is forgotten.
      if (record.isKilled && !record.isRotten) this.#options.witness.durable(record.shard);
      record.isKilled = false;
      record.holderCount = 1;
    }
    this.#replacedBy.clear();
  }

  crash(): void {
    this.#expected.clear();
    for (const { position, state, isKilled } of this.all()) {
      // A page that a failed sync marked clean is dropped as soon as memory is needed.
      if (state === "clean" || (isKilled && state !== "durable")) this.#records.delete(position);
    }
  }

  powerCut(): void {
    this.#expected.clear();
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
    this.#replacedBy.clear();
    this.#expected.clear();
  }

  /** Returns false if there was no record to damage. */
  rot(): boolean {
    const readable = this.#readable();
    if (readable.length === 0) return false;
    const record = this.#options.random.pick(readable);
    this.#lose(record);
    record.isRotten = true;
    return true;
  }

  /** Returns false if this upload has no payload to damage. */
  rotPayload(uploadId: UploadId): boolean {
    const record = this.#readable().find(({ shard }) => shard.upload.uploadId === uploadId);
    if (record === undefined || record.shard.payload.length === 0) return false;
    this.#lose(record);
    record.isRotten = true;
    return true;
  }

  #lose(record: RecordOfShard): void {
    if (!isHeld(record)) return;
    const { upload, shardIndex } = record.shard;
    this.#options.witness.lost(upload.uploadId, shardIndex);
  }
}

function isHeld({ state, isRotten, isKilled }: RecordOfShard): boolean {
  return state === "durable" && !isRotten && !isKilled;
}

function shardRecordName({ shard }: RecordOfShard): string {
  return `${shard.upload.uploadId}.${shard.shardIndex}`;
}
