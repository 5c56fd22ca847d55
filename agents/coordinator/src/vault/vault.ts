/**
 * Stores and reads whole objects: splits bodies into shards and joins them again, and leaves the protocol to the state
 * machine.
 */
import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { monotonicNowMs, processSurroundings, type Switchboard } from "@stashlight/node-runtime";
import { checksum, decodeParts, encodeBody } from "@stashlight/shard-store";
import { type CoordinatorShell, createCoordinatorShell } from "@stashlight/shard-store/shell";
import {
  type Address,
  type Condition,
  type CoordinatorEvent,
  type CoordinatorState,
  createCoordinator,
  createUploadId,
  freeBytesOf,
  type GetOutcome,
  isSilent,
  type LostObject,
  type PutOutcome,
  podAddress,
  refusalFor,
  takenBytesOf,
  type UploadHeader,
  type VaultConfig,
} from "@stashlight/write-path";
import { VaultError } from "./errors.ts";
import { type ListRange, listInRounds } from "./list-in-rounds.ts";
import type { NewObject, PutOptions, StoredObject, StoredUpload } from "./objects.ts";
import { OpenRequests } from "./open-requests.ts";
import { shortageMessage } from "./shortage-message.ts";
import type { UploadWatch } from "./upload-watch.ts";

/** An upload of the vault, or one piece of it. */
export interface UploadWork {
  /** Id of the client's request; null for the vault's own work. */
  readonly requestId: string | null;
  readonly bytes: number;
  /** Waits for as long as necessary, because earlier parts of the same upload are already stored. */
  readonly isPatient: boolean;
}

export interface VaultOptions {
  readonly address: Address;
  readonly config: VaultConfig;
  readonly switchboard: Switchboard;
  /** Largest body that uses the stash, with an allowance for encryption. */
  readonly stashedBytesMax: number;
  readonly isStashEnabled: boolean;
  readonly watch: UploadWatch;
  /** Admits uploads, a limited number at a time. */
  readonly gate: UploadGate;
}

export interface UploadGate {
  runUpload<Result>(work: UploadWork, run: () => Promise<Result>): Promise<Result>;
}

/** Attempts at one put, because another coordinator may have assigned a higher version order in between. */
const ATTEMPT_COUNT_MAX = 10;
/** Attempts while the outcome of the previous version is unknown, or others also write the key conditionally. */
const CONFLICT_COUNT_MAX = 5;
const CONFLICT_PAUSE_MS_MAX = 20;
/** While the nodes of a vault learn of another epoch, its uploads wait for up to this time. */
const OUTDATED_MS_MAX = 5000;
const OUTDATED_PAUSE_MS = 50;
/**
 * Pods ask for missing data at least every 320 s; objects that none has asked for in more than twice that time are no
 * longer listed.
 */
const LOST_SHOWN_MS = 15 * 60_000;
const NOTHING = new Uint8Array(0);

export class Vault {
  readonly #options: VaultOptions;
  #config: VaultConfig;
  readonly #state: CoordinatorState;
  readonly #shell: CoordinatorShell;
  readonly #requests = new OpenRequests();

  constructor(options: VaultOptions) {
    const { address, config, switchboard, stashedBytesMax, isStashEnabled, watch } = options;
    this.#options = options;
    this.#config = config;
    const state = createCoordinator({
      bootId: randomInt(2 ** 32),
      config,
      smallUploadBytesMax: stashedBytesMax,
      isStashEnabled,
      firstRequestId: Date.now() * 1000,
    });
    this.#state = state;
    const surroundings = processSurroundings(address, switchboard);
    this.#shell = createCoordinatorShell({
      state,
      clients: this.#requests,
      surroundings: {
        ...surroundings,
        send: (to, message) => {
          watch.sent(to, message);
          surroundings.send(to, message);
        },
      },
    });
    switchboard.connect(address, {
      receive: (from, message) => {
        watch.heard(message);
        this.#shell.receive(from, message);
      },
    });
  }

  start(): void {
    this.#shell.take({ type: "started" });
  }

  /** Applies the vault's next epoch. */
  configure(config: VaultConfig): void {
    this.#config = config;
    this.#shell.take({ type: "configured", config });
  }

  /**
   * Called when the connection to the node with these addresses is lost; uploads stop waiting for its stash devices.
   */
  lost(addresses: readonly Address[]): void {
    for (const address of addresses) {
      if (address.startsWith("s"))
        this.#shell.take({ type: "deviceLost", deviceId: Number(address.slice(1)) });
    }
  }

  /** Stops answering requests. */
  stop(): void {
    this.#shell.stop();
  }

  /** Number of pods that reported to this coordinator as counting for reads and accepting writes. */
  get settledPodCount(): number {
    return this.settledPods().filter(Boolean).length;
  }

  /** For each pod, in order, whether it counts for reads and accepts writes. */
  settledPods(): boolean[] {
    const nowMs = monotonicNowMs();
    return this.#state.pods.map(({ isSettled }, pod) => isSettled && !isSilent(this.#state, pod, nowMs));
  }

  /** Number of pods needed to acknowledge an upload. */
  get neededPodCount(): number {
    return this.#state.quorums.acknowledge;
  }

  get openRequestCount(): number {
    return this.#requests.count;
  }

  refusals(): ReadonlyMap<string, number> {
    return this.#state.refusals;
  }

  /** Bytes of bodies that the pods can still store, according to their reports of the last second or so. */
  get freeBytes(): number {
    return freeBytesOf(this.#state);
  }

  /** Bytes of objects that take this much of the vault's space; null until the pods have reported theirs. */
  takenBytes(capacityBytes: number): number | null {
    return takenBytesOf(this.#state, capacityBytes);
  }

  /** Unreadable objects that this coordinator met recently, the latest last. */
  lostObjects(): LostObject[] {
    const sinceMs = monotonicNowMs() - LOST_SHOWN_MS;
    return [...this.#state.lost.values()].filter(({ seenMs }) => seenMs >= sinceMs);
  }

  /** Called when the object no longer exists, so that it no longer counts as lost. */
  forgetLost(uploadId: string): void {
    this.#state.lost.delete(uploadId);
  }

  /**
   * Rejects with a VaultError if the vault has no space for a body of this size under this key. Resolves with whether
   * it fits only because it replaces an object that is at least as large.
   */
  async checkRoom(bucket: string, key: string, sizeBytes: number): Promise<boolean> {
    const refusal = refusalFor(this.#state, { kind: "object", sizeBytes });
    if (refusal === null) return false;
    if (refusal === "unavailable") throw new VaultError(refusal);
    const present = await this.head(bucket, key);
    if (present === null || present.sizeBytes < sizeBytes) throw new VaultError(refusal);
    return true;
  }

  /** Rejects with a VaultError, or with the gate's error. */
  put(
    object: NewObject,
    condition: Condition,
    { isDirect = false, requestId, isPatient = false, isVital = false, onTurn = () => {} }: PutOptions,
  ): Promise<StoredUpload> {
    const work = { requestId, bytes: object.bytes.length, isPatient };
    return this.#options.gate.runUpload(work, async () => {
      onTurn();
      return await this.#put(object, condition, { isDirect, isVital });
    });
  }

  async #put(
    object: NewObject,
    condition: Condition,
    { isDirect, isVital }: { readonly isDirect: boolean; readonly isVital: boolean },
  ): Promise<StoredUpload> {
    const isReplacement = isVital || (await this.checkRoom(object.bucket, object.key, object.bytes.length));
    const startMs = monotonicNowMs();
    const payloads = encodeBody(object.bytes, this.#config.scheme);
    const payloadCrcs = payloads.map(checksum);
    const encodeMs = monotonicNowMs() - startMs;
    const { bucket, key, bytes, etag, contentType, metadata } = object;
    const { watch } = this.#options;
    const seen = { bucket, key, userMetadata: metadata, sizeBytes: bytes.length, isDirect };
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
        isReplacement,
        payloads,
        payloadCrcs,
      },
      (uploadId) => watch.begin(uploadId, { ...seen, ...times }),
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
    let outdatedMs = 0;
    for (let attempt = 1; ; attempt += 1) {
      if (!this.#hasQuorum()) throw new VaultError("unavailable");
      const uploadId = createUploadId(Date.now(), randomBytes);
      begin(uploadId);
      const outcome = await this.#requests.openPut((token) => {
        this.#shell.take({ type: "put", token, uploadId, ...request });
      });
      this.#options.watch.answered(uploadId, outcome);
      if (outcome.type === "stored") return outcome;
      if (outcome.type === "outdated") {
        if (outdatedMs >= OUTDATED_MS_MAX) throw new VaultError("unavailable");
        outdatedMs += OUTDATED_PAUSE_MS;
        attempt -= 1;
        await delay(OUTDATED_PAUSE_MS);
        continue;
      }
      const isOver = attempt === ATTEMPT_COUNT_MAX || conflictCount === CONFLICT_COUNT_MAX;
      if (outcome.type === "conflict" && !isOver) {
        conflictCount += 1;
        await this.#endContest(request, conflictCount);
      } else if (outcome.type !== "again") throw new VaultError(outcome.type);
      else if (isOver) throw new VaultError("conflict");
    }
  }

  /** If false, too few pods answer, and the client is asked to retry without waiting for deadlines. */
  #hasQuorum(): boolean {
    const { switchboard } = this.#options;
    const nowMs = monotonicNowMs();
    const reachable = this.#config.podDriveIds.filter(
      (_, pod) => switchboard.canReach(podAddress(pod)) && !isSilent(this.#state, pod, nowMs),
    );
    return reachable.length >= this.#state.quorums.acknowledge;
  }

  /**
   * Reads the key after a random delay: a read completes any version that it finds, and the delay separates competing
   * writers.
   */
  async #endContest(
    { bucket, key }: { readonly bucket: string; readonly key: string },
    conflictCount: number,
  ): Promise<void> {
    await delay(randomInt(CONFLICT_PAUSE_MS_MAX * conflictCount));
    await this.head(bucket, key);
  }

  /**
   * Returns null if the object does not exist. Rejects with a VaultError, for example if its bytes are unavailable now.
   */
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
    const outcome = await this.#requests.openGet((token) => {
      this.#shell.take({ type: "get", token, bucket, key, headOnly });
    });
    if (outcome.type === "unavailable") throw new VaultError("unavailable");
    if (outcome.type === "undecodable") {
      const { shortage } = outcome;
      throw new VaultError("undecodable", shortageMessage(shortage), shortage);
    }
    return outcome.type === "found" ? outcome : null;
  }

  /**
   * Returns at most this many objects, in order of the UTF-8 bytes of their keys; with a delimiter at least one of each
   * common prefix that it reaches. Rejects with a VaultError.
   */
  async list(bucket: string, range: ListRange): Promise<{ uploads: UploadHeader[]; isTruncated: boolean }> {
    return await listInRounds(range, async (round) => {
      const outcome = await this.#requests.openList((token) => {
        this.#shell.take({ type: "list", token, bucket, ...round });
      });
      if (outcome.type === "unavailable") throw new VaultError("unavailable");
      return outcome;
    });
  }
}
