/** Clients of the vault: they issue the planned operations, and record calls and answers. */

import { checksum, decodeBody, encodeBody } from "@stashlight/shard-store";
import type { CoordinatorClients } from "@stashlight/shard-store/shell";
import {
  type Condition,
  type GetOutcome,
  type ListOutcome,
  objectNameOf,
  type PutOutcome,
  type UploadHeader,
  type UploadId,
} from "@stashlight/write-path";
import {
  HISTORY_LENGTH_MAX,
  type HistoryEntry,
  type Value,
  type WriteCondition,
} from "../check/linearizability.ts";
import type { PlannedOperation } from "../options.ts";
import type { World } from "./world.ts";

export const BUCKET = "vault";
/** All keys of a run share one common prefix. */
const DELIMITER = "-";
/** Limit on attempts: one whose version order was too low is repeated, and clocks that jumped far need several. */
const ATTEMPTS_MAX = 50;
/** A false report of damage is noticed when the shard is read again, after some minutes at most. */
const PASSING_US = 600_000_000;

interface Call {
  readonly planned: PlannedOperation;
  readonly calledUs: number;
  readonly coordinatorId: number;
  readonly coordinatorBoot: number;
  /** Name of the written value, which is also its ETag. */
  readonly value: Value;
  readonly condition: Condition;
  /** The condition in terms of values, as the history needs it. */
  readonly writeCondition: WriteCondition;
  /** The coordinator's classification of the write; pods decide for themselves which writes may use their reserve. */
  readonly isReplacement: boolean;
  attemptCount: number;
  /** Empty unless a list groups keys. */
  delimiter: string;
  /** All upload ids that this call has used. */
  readonly uploadIds: UploadId[];
}

export class Clients implements CoordinatorClients {
  readonly history = new Map<string, HistoryEntry[]>();
  readonly #calls = new Map<number, Call>();
  readonly #bodies = new Map<string, Uint8Array>();
  /** Newest version of each key that any client received, for conditional writes. */
  readonly #versions = new Map<string, Pick<UploadHeader, "etag" | "uploadId">>();
  readonly #keys: readonly string[];
  #world: World | null = null;
  #nextToken = 1;
  answeredCount = 0;
  /** Writes that were answered with "stored". */
  readonly storedTokens = new Set<number>();
  /** Results of reads by key, newest last. */
  lastReads = new Map<string, Value>();
  lastList: readonly UploadHeader[] | null = null;

  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  attach(world: World): void {
    this.#world = world;
  }

  get #attached(): World {
    if (this.#world === null) throw new Error("Clients are attached to a world before they are used.");
    return this.#world;
  }

  get openCount(): number {
    return this.#calls.size;
  }

  schedule(operations: readonly PlannedOperation[]): void {
    for (const planned of operations)
      this.#attached.queue.schedule(planned.atMs * 1000, () => this.issue(planned));
  }

  /** Returns the number of the call; null if it could not be made. */
  issue(planned: PlannedOperation, isLast = false): number | null {
    const world = this.#attached;
    const coordinator = world.coordinators[planned.coordinator % world.coordinators.length];
    if (!coordinator?.node.isUp || !(isLast || this.#hasRoom(planned))) return null;
    const token = this.#nextToken++;
    const isWrite = planned.type === "put" || planned.type === "delete";
    const condition = this.#conditionOf(planned);
    const call: Call = {
      planned,
      calledUs: world.queue.nowUs,
      coordinatorId: coordinator.coordinatorId,
      coordinatorBoot: coordinator.node.bootCount,
      value: planned.type === "put" ? `value-${token}` : null,
      condition,
      writeCondition: this.#writeConditionOf(planned, condition),
      isReplacement: isWrite && world.random.chance(0.3),
      attemptCount: 0,
      uploadIds: [],
      delimiter: "",
    };
    this.#calls.set(token, call);
    if (isWrite) {
      this.#write(token, call);
      return token;
    }
    const { key } = planned;
    if (planned.type === "list") {
      // Draws no random numbers, so that other operations stay unchanged. The last lists are complete.
      call.delimiter = isLast || token % 2 === 0 ? "" : DELIMITER;
      const range = { prefix: "", after: "", keyCountMax: 1000, delimiter: call.delimiter };
      coordinator.node.take({ type: "list", token, bucket: BUCKET, ...range });
    } else {
      coordinator.node.take({ type: "get", token, bucket: BUCKET, key, headOnly: planned.type === "head" });
    }
    return token;
  }

  /**
   * Returns true if the history of each key that the operation concerns has space for it; a list concerns every key.
   */
  #hasRoom({ type, key }: PlannedOperation): boolean {
    // Keeps space in the history for the final reads and, with a full vault, for deletes that are retried before those.
    const keptCount = this.#attached.options.isAtWall ? 12 : 4;
    const keys = type === "list" ? this.#keys : [key];
    return keys.every((name) => {
      const open = [...this.#calls.values()].filter(
        (call) => call.planned.key === name || call.planned.type === "list",
      ).length;
      return (this.history.get(name)?.length ?? 0) + open < HISTORY_LENGTH_MAX - keptCount;
    });
  }

  #conditionOf({ condition, key }: PlannedOperation): Condition {
    if (condition === "absent") return { type: "absent" };
    const version = this.#versions.get(key);
    if (condition === "none" || version === undefined) return { type: "none" };
    const { etag, uploadId } = version;
    // Draws no random numbers, so that other operations stay unchanged.
    return Number.parseInt(uploadId[0] ?? "", 16) % 2 === 0
      ? { type: "version", uploadId }
      : { type: "etag", etag };
  }

  #writeConditionOf({ key }: PlannedOperation, condition: Condition): WriteCondition {
    if (condition.type === "none" || condition.type === "absent") return condition;
    return { type: "value", value: this.#versions.get(key)?.etag ?? "" };
  }

  #write(token: number, call: Call): void {
    const world = this.#attached;
    const { planned, value, condition } = call;
    const { scheme } = world.options;
    call.attemptCount += 1;
    const body = value === null ? new Uint8Array(0) : this.#bodyOf(value, planned.sizeBytes);
    const n = scheme.dataShardCount + scheme.parityShardCount;
    const payloads =
      value === null ? Array.from({ length: n }, () => new Uint8Array(0)) : encodeBody(body, scheme);
    const uploadId = this.#drawUploadId();
    call.uploadIds.push(uploadId);
    world.coordinators[call.coordinatorId]?.node.take({
      type: "put",
      token,
      uploadId,
      kind: value === null ? "tombstone" : "object",
      bucket: BUCKET,
      key: planned.key,
      sizeBytes: body.length,
      etag: value ?? "",
      contentType: "application/octet-stream",
      userMetadata: {},
      condition,
      isReplacement: call.isReplacement,
      payloads,
      payloadCrcs: payloads.map(value === null ? () => 0 : checksum),
    });
  }

  #bodyOf(value: string, sizeBytes: number): Uint8Array {
    const seed = checksum(new TextEncoder().encode(value));
    const body = new Uint8Array(sizeBytes);
    for (let i = 0; i < sizeBytes; i += 1) body[i] = (seed >>> (i % 24)) ^ (i * 31);
    this.#bodies.set(value, body);
    return body;
  }

  #drawUploadId(): UploadId {
    const { random } = this.#attached;
    const word = () =>
      random
        .below(2 ** 32)
        .toString(16)
        .padStart(8, "0");
    return word() + word() + word() + word();
  }

  put(token: number, outcome: PutOutcome): void {
    const call = this.#calls.get(token);
    if (!call) return;
    const { oracle, queue, coordinators } = this.#attached;
    if (outcome.type === "again" && call.attemptCount === ATTEMPTS_MAX) {
      const sentence = `A client was asked ${ATTEMPTS_MAX} times to write ${call.planned.key} again at once.`;
      this.#attached.violations.push({ property: "liveness", sentence });
      return;
    }
    if (outcome.type === "again") {
      queue.schedule(1000, () => {
        const { node } = coordinators[call.coordinatorId] ?? {};
        if (node?.isUp && node.bootCount === call.coordinatorBoot) this.#write(token, call);
      });
      return;
    }
    if (outcome.type === "stored" && call.value !== null)
      this.#versions.set(call.planned.key, outcome.upload);
    if (outcome.type === "stored") this.storedTokens.add(token);
    this.#attached.counters.add(`put answered: ${outcome.type}`);
    const isNothing = ["conflict", "again", "full", "outdated"].includes(outcome.type);
    // An upload that a full vault refuses immediately is never sent, so no medium knows of it.
    const isNowhere = (uploadId: UploadId) => outcome.type === "full" && !oracle.isKnown(uploadId);
    const areAllDead = call.uploadIds.every((uploadId) => oracle.isDead(uploadId) || isNowhere(uploadId));
    if (isNothing && !areAllDead) {
      const property = "S7" as const;
      const sentence = `A client was answered "${outcome.type}", which means that nothing happened, about an upload that is not dead.`;
      this.#attached.violations.push({ property, sentence });
    }
    const result = outcome.type === "stored" ? "met" : outcome.type === "precondition" ? "unmet" : "unknown";
    this.#close(token, isNothing || (areAllDead && result === "unknown") ? null : result);
  }

  /** Ends a call; a null outcome means that it provably had no effect. */
  #close(token: number, outcome: HistoryEntry["outcome"] | null): void {
    const call = this.#calls.get(token);
    if (!call) return;
    this.#calls.delete(token);
    this.answeredCount += 1;
    if (outcome === null) return;
    const { writeCondition: condition, value, planned, calledUs } = call;
    const operation = { type: "write", value, condition } as const;
    this.#add(planned.key, { operation, outcome, calledUs, answeredUs: this.#attached.queue.nowUs });
  }

  #add(key: string, entry: HistoryEntry): void {
    const entries = this.history.get(key);
    if (entries) entries.push(entry);
    else this.history.set(key, [entry]);
  }

  get(token: number, outcome: GetOutcome): void {
    const call = this.#calls.get(token);
    if (!call) return;
    this.#calls.delete(token);
    this.answeredCount += 1;
    if (outcome.type === "unavailable") return;
    const { planned, calledUs } = call;
    // Lost is not absent: the answer names the version that cannot be read.
    const shown = outcome.type === "undecodable" ? outcome.shortage.upload : null;
    const version = outcome.type === "found" ? outcome.upload : shown;
    const value = version?.etag ?? null;
    if (shown !== null) this.#judgeShortage(shown);
    if (outcome.type === "found") this.#attached.oracle.shown(outcome.upload.uploadId);
    if (outcome.type === "found" && planned.type === "get") this.#judgeBytes(outcome);
    if (version !== null) this.#versions.set(planned.key, version);
    this.lastReads.set(planned.key, value);
    this.#addRead(planned.key, value, calledUs);
  }

  /**
   * While reads fail, any object may be short of shards for a moment; once all faults have ended, only objects whose
   * shards the media lost.
   */
  #judgeShortage(upload: UploadHeader): void {
    const { counters, oracle, queue, healedUs } = this.#attached;
    counters.add("read of a lost object");
    if (queue.nowUs < healedUs + PASSING_US || oracle.isLost(upload.uploadId)) return;
    const sentence = `A GET of ${objectNameOf(upload)} reported upload ${upload.uploadId} as unreadable, but it can be read.`;
    this.#attached.violations.push({ property: "S2", sentence });
  }

  #addRead(key: string, value: Value, calledUs: number): void {
    const operation = { type: "read", value } as const;
    this.#add(key, { operation, outcome: "met", calledUs, answeredUs: this.#attached.queue.nowUs });
  }

  #judgeBytes({ upload, shards }: Extract<GetOutcome, { type: "found" }>): void {
    const expected = this.#bodies.get(upload.etag);
    const actual = upload.sizeBytes === 0 ? new Uint8Array(0) : decodeBody(shards);
    const isRight = expected?.length === actual.length && expected.every((byte, i) => byte === actual[i]);
    if (isRight) return;
    const sentence = `A GET of ${objectNameOf(upload)} gave bytes that are not those of upload ${upload.uploadId}.`;
    this.#attached.violations.push({ property: "S5", sentence });
  }

  list(token: number, outcome: ListOutcome): void {
    const call = this.#calls.get(token);
    if (!call) return;
    this.#calls.delete(token);
    this.answeredCount += 1;
    if (outcome.type === "unavailable") return;
    this.lastList = outcome.uploads;
    for (const { uploadId } of outcome.uploads) this.#attached.oracle.shown(uploadId);
    this.#readList(call, outcome);
  }

  /** Records what the list proves: nothing about other keys of a listed common prefix, or beyond its end. */
  #readList(
    { calledUs, delimiter }: Call,
    { uploads, truncatedAfter }: Extract<ListOutcome, { type: "listed" }>,
  ): void {
    const listed = new Map(uploads.map(({ key, etag }) => [key, etag]));
    const groupOf = (key: string): string =>
      delimiter === "" ? key : key.slice(0, key.indexOf(delimiter) + 1) || key;
    const groups = new Set([...listed.keys()].map(groupOf));
    for (const key of this.#keys) {
      const isCovered = truncatedAfter === null || key <= truncatedAfter;
      if (listed.has(key) || (isCovered && !groups.has(groupOf(key))))
        this.#addRead(key, listed.get(key) ?? null, calledUs);
    }
  }

  /** Calls whose coordinator died are never answered: their writes may still happen. */
  abandonUnanswered(): void {
    for (const [token, { planned }] of [...this.#calls]) {
      if (planned.type === "put" || planned.type === "delete") this.#close(token, "unknown");
      else this.#calls.delete(token);
    }
  }
}
