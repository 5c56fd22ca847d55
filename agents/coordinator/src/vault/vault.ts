/**
 * The vault as promises: whole objects in and out. Splits bodies into shards and joins them again, and has the state
 * machine do the rest.
 */
import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { MachineHost, monotonicNowMs, type Switchboard } from "@stashlight/agent";
import { checksum, decodeParts, encodeBody, rebuildShards } from "@stashlight/shard-store";
import {
  type Address,
  type Condition,
  type CoordinatorEffect,
  type CoordinatorEvent,
  type CoordinatorState,
  createCoordinator,
  type GetOutcome,
  isSilent,
  type ListOutcome,
  type PutOutcome,
  podAddress,
  stepCoordinator,
  type UploadHeader,
  type VaultConfig,
} from "@stashlight/write-path";
import { ByteGate } from "./byte-gate.ts";
import { VaultError } from "./errors.ts";
import type { UploadWatch } from "./upload-watch.ts";

export interface VaultOptions {
  readonly address: Address;
  readonly config: VaultConfig;
  readonly switchboard: Switchboard;
  readonly smallUploadBytesMax: number;
  readonly isStashEnabled: boolean;
  readonly watch: UploadWatch;
}

/** What is stored under a key; its body in `bytes`, which must not change until the put has ended. */
export interface NewObject {
  readonly bucket: string;
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** An object with its body in stretches that follow one another: as they came, if the data shards did. */
export interface StoredObject {
  readonly upload: UploadHeader;
  readonly parts: readonly Uint8Array[];
}

export interface StoredUpload {
  readonly upload: UploadHeader;
  readonly path: "stash" | "direct";
  /** From the call to the moment at which the shards were on their way, and from there to the answer. */
  readonly encodeMs: number;
  readonly quorumMs: number;
}

/** Several attempts at one put: another coordinator may have given a higher version order meanwhile. */
const ATTEMPT_COUNT_MAX = 10;
/** Bodies on their way at a time: eight of the largest that take the stash, or one piece. */
const BODY_BYTES_MAX = 8_388_608;
/** And where the end of the version before was not known yet, or others tried to write the key on condition as well. */
const CONFLICT_COUNT_MAX = 5;
const CONFLICT_PAUSE_MS_MAX = 20;
const NOTHING = new Uint8Array(0);

export class Vault {
  readonly #options: VaultOptions;
  readonly #state: CoordinatorState;
  readonly #host: MachineHost<CoordinatorEvent, CoordinatorEffect>;
  readonly #puts = new Map<number, (outcome: PutOutcome) => void>();
  readonly #gets = new Map<number, (outcome: GetOutcome) => void>();
  readonly #lists = new Map<number, (outcome: ListOutcome) => void>();
  readonly #gate = new ByteGate(BODY_BYTES_MAX);
  #nextToken = 1;

  constructor(options: VaultOptions) {
    const { address, config, switchboard, smallUploadBytesMax, isStashEnabled, watch } = options;
    this.#options = options;
    const state = createCoordinator({
      bootId: randomInt(2 ** 32),
      config,
      smallUploadBytesMax,
      isStashEnabled,
      firstRequestId: Date.now() * 1000,
    });
    this.#state = state;
    this.#host = new MachineHost({
      address,
      step: (event, nowMs) => stepCoordinator(state, event as CoordinatorEvent, nowMs),
      carryOut: (effect) => this.#carryOut(effect as CoordinatorEffect),
      send: (from, to, message) => {
        watch.sent(to, message);
        switchboard.send(from, to, message);
      },
      nowMs: monotonicNowMs,
    });
    switchboard.connect(address, {
      receive: (from, message) => {
        watch.heard(message);
        this.#host.receive(from, message);
      },
    });
  }

  start(): void {
    this.#host.take({ type: "started" });
  }

  /** Nothing is answered any more. */
  stop(): void {
    this.#host.stop();
  }

  /** Pods that have told this coordinator that they count for reads and take writes. */
  get settledPodCount(): number {
    const nowMs = monotonicNowMs();
    return this.#state.pods.filter(({ isSettled }, pod) => isSettled && !isSilent(this.#state, pod, nowMs))
      .length;
  }

  /** What must be settled before an upload can be acknowledged. */
  get neededPodCount(): number {
    return this.#state.quorums.acknowledge;
  }

  get openRequestCount(): number {
    return this.#puts.size + this.#gets.size + this.#lists.size;
  }

  refusals(): ReadonlyMap<string, number> {
    return this.#state.refusals;
  }

  /** Rejects with a VaultError. `isDirect` leaves the stash out. */
  put(
    object: NewObject,
    condition: Condition = { type: "none" },
    { isDirect = false } = {},
  ): Promise<StoredUpload> {
    return this.#gate.run(object.bytes.length, () => this.#put(object, condition, isDirect));
  }

  async #put(object: NewObject, condition: Condition, isDirect: boolean): Promise<StoredUpload> {
    const startMs = monotonicNowMs();
    const payloads = encodeBody(object.bytes, this.#options.config.scheme);
    const payloadCrcs = payloads.map(checksum);
    const encodeMs = monotonicNowMs() - startMs;
    const { bucket, key, bytes, etag, contentType, metadata } = object;
    const { watch } = this.#options;
    const times = { encodeStartMs: startMs, encodeEndMs: startMs + encodeMs };
    const { upload, path } = await this.#putUntilDecided(
      {
        kind: "object",
        bucket,
        key,
        sizeBytes: bytes.length,
        etag,
        contentType,
        userMetadata: metadata,
        condition,
        isDirect,
        payloads,
        payloadCrcs,
      },
      (uploadId) => watch.begin(uploadId, { bucket, sizeBytes: bytes.length, isDirect, ...times }),
    );
    return { upload, path, encodeMs, quorumMs: monotonicNowMs() - startMs - encodeMs };
  }

  /** Rejects with a VaultError. */
  async delete(bucket: string, key: string, condition: Condition = { type: "none" }): Promise<UploadHeader> {
    const { shardCount } = this.#state.quorums;
    const { upload } = await this.#putUntilDecided({
      kind: "tombstone",
      bucket,
      key,
      sizeBytes: 0,
      etag: "",
      contentType: "",
      userMetadata: {},
      condition,
      payloads: new Array<Uint8Array>(shardCount).fill(NOTHING),
      payloadCrcs: new Array<number>(shardCount).fill(0),
    });
    return upload;
  }

  async #putUntilDecided(
    request: Omit<Extract<CoordinatorEvent, { type: "put" }>, "type" | "token" | "uploadId">,
    begin: (uploadId: string) => void = () => {},
  ): Promise<Extract<PutOutcome, { type: "stored" }>> {
    let conflictCount = 0;
    for (let attempt = 1; ; attempt += 1) {
      if (!this.#hasQuorum()) throw new VaultError("unavailable");
      const uploadId = randomBytes(16).toString("hex");
      begin(uploadId);
      const outcome = await this.#ask(this.#puts, (token) => {
        this.#host.take({ type: "put", token, uploadId, ...request });
      });
      this.#options.watch.answered(uploadId, outcome);
      if (outcome.type === "stored") return outcome;
      const isOver = attempt === ATTEMPT_COUNT_MAX || conflictCount === CONFLICT_COUNT_MAX;
      if (outcome.type === "conflict" && !isOver) {
        conflictCount += 1;
        await this.#endContest(request, conflictCount);
      } else if (outcome.type !== "again") throw new VaultError(outcome.type);
      else if (isOver) throw new VaultError("conflict");
    }
  }

  /** While too few pods are there and answer, the client need not wait for deadlines to hear that it must come again. */
  #hasQuorum(): boolean {
    const { config, switchboard } = this.#options;
    const nowMs = monotonicNowMs();
    const reachable = config.podDriveIds.filter(
      (_, pod) => switchboard.canReach(podAddress(pod)) && !isSilent(this.#state, pod, nowMs),
    );
    return reachable.length >= this.#state.quorums.acknowledge;
  }

  /** A reader proves the end of whatever version it meets; those who contend come back at different times. */
  async #endContest(
    { bucket, key }: { readonly bucket: string; readonly key: string },
    conflictCount: number,
  ): Promise<void> {
    await delay(randomInt(CONFLICT_PAUSE_MS_MAX * conflictCount));
    await this.head(bucket, key);
  }

  /** Null when there is no such object. Rejects with a VaultError, as when bytes cannot be had now. */
  async get(bucket: string, key: string): Promise<StoredObject | null> {
    const outcome = await this.#find(bucket, key, false);
    if (outcome === null) return null;
    const { upload, shards } = outcome;
    return { upload, parts: upload.sizeBytes === 0 ? [] : decodeParts(shards) };
  }

  async head(bucket: string, key: string): Promise<UploadHeader | null> {
    return (await this.#find(bucket, key, true))?.upload ?? null;
  }

  async #find(
    bucket: string,
    key: string,
    headOnly: boolean,
  ): Promise<Extract<GetOutcome, { type: "found" }> | null> {
    const outcome = await this.#ask(this.#gets, (token) => {
      this.#host.take({ type: "get", token, bucket, key, headOnly });
    });
    if (outcome.type === "unavailable") throw new VaultError("unavailable");
    return outcome.type === "found" ? outcome : null;
  }

  /** Up to so many objects, in order of the UTF-8 bytes of their keys. Rejects with a VaultError. */
  async list(
    bucket: string,
    range: { readonly prefix: string; readonly after: string; readonly keyCountMax: number },
  ): Promise<{ uploads: UploadHeader[]; isTruncated: boolean }> {
    const uploads: UploadHeader[] = [];
    let { after } = range;
    for (;;) {
      const keyCountMax = range.keyCountMax - uploads.length;
      const from = after;
      const outcome = await this.#ask(this.#lists, (token) => {
        this.#host.take({ type: "list", token, bucket, prefix: range.prefix, after: from, keyCountMax });
      });
      if (outcome.type === "unavailable") throw new VaultError("unavailable");
      uploads.push(...outcome.uploads);
      if (outcome.truncatedAfter === null) return { uploads, isTruncated: false };
      if (uploads.length >= range.keyCountMax) return { uploads, isTruncated: true };
      after = outcome.truncatedAfter;
    }
  }

  #ask<Outcome>(
    waiting: Map<number, (outcome: Outcome) => void>,
    take: (token: number) => void,
  ): Promise<Outcome> {
    const token = this.#nextToken++;
    return new Promise((resolve) => {
      waiting.set(token, resolve);
      take(token);
    });
  }

  #carryOut(effect: CoordinatorEffect): void {
    switch (effect.type) {
      case "answerPut":
        settle(this.#puts, effect.token, effect.outcome);
        return;
      case "answerGet":
        settle(this.#gets, effect.token, effect.outcome);
        return;
      case "answerList":
        settle(this.#lists, effect.token, effect.outcome);
        return;
      case "reconstruct": {
        const { uploadId } = effect;
        const shards = rebuildShards(effect.shards, effect.missing);
        setImmediate(() => this.#host.take({ type: "reconstructed", uploadId, shards }));
      }
    }
  }
}

function settle<Outcome>(
  waiting: Map<number, (outcome: Outcome) => void>,
  token: number,
  outcome: Outcome,
): void {
  waiting.get(token)?.(outcome);
  waiting.delete(token);
}
