/**
 * A run's session with its endpoint: connections that stay open, bodies that are ready, keys below one prefix, and
 * the samples. Methods decide what is done in which order; how it is timed is decided here, once.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchmarkSample } from "@stashlight/contracts";
import { EndpointError } from "../endpoint/explain-failure.ts";
import { type EndpointFailure, failureOf, isTransient } from "../endpoint/failure.ts";
import { createPreparer, type PrepareRequest } from "../endpoint/prepare-request.ts";
import {
  type EndpointCredentials,
  type EndpointTarget,
  remoteAddressOf,
  wireTargetOf,
} from "../endpoint/target.ts";
import { type Exchange, TimedConnection, type WireRequest, type WireTarget } from "../wire/connection.ts";
import { pingTcp } from "../wire/ping.ts";
import { createBlocks, createBodies, type UploadBody } from "./bodies.ts";
import { type ClockCheck, clockCheckOf } from "./clock-check.ts";
import { compareEtag } from "./etag.ts";
import { ProgressCount } from "./progress.ts";
import { createRandom, type Random, shuffled } from "./random.ts";
import { ms, phasesOf } from "./sample.ts";
import { SettlingSamples } from "./settling-samples.ts";
import { type StoredCheck, type StoredObject, StoredObjects, troubleOf } from "./stored-objects.ts";

export interface SessionOptions {
  readonly target: EndpointTarget;
  readonly credentials: EndpointCredentials;
  /** Below which all keys are. */
  readonly runPrefix: string;
  readonly slotMs: number | undefined;
  readonly seed: number;
  /** UTC, asked once, and for the time of signatures. */
  readonly nowMs: () => number;
  readonly onSample: (sample: BenchmarkSample) => void;
}

export interface TimedOperation {
  readonly operation: "PUT" | "GET" | "HEAD" | "DELETE";
  readonly sizeBytes: number;
  readonly leg: number;
  /** Which of the run's connections, from 0. */
  readonly connection: number;
  /** After the operation before on this connection. */
  readonly pauseMs?: number;
  /** Of `performance.now()`; it does not start before, and is late if it starts after. */
  readonly intendedAt?: number;
  /** Of an upload; without it the bodies of this size take turns. */
  readonly body?: UploadBody;
  /** Last part of an upload's key; without it a number and a random part. */
  readonly keyName?: string;
}

interface Ready {
  readonly request: WireRequest;
  readonly key: string;
  readonly body: UploadBody | null;
  readonly object: StoredObject | null;
}

/** So many in a row, and the endpoint is not measured but missing. */
const FAILURES_IN_A_ROW_MAX = 10;

export class Session {
  readonly wireTarget: WireTarget;
  readonly #options: SessionOptions;
  readonly #prepare: PrepareRequest;
  readonly #random: Random;
  readonly #connections: TimedConnection[] = [];
  readonly #settling: SettlingSamples;
  readonly #beginning: { readonly utcMs: number; readonly at: number };
  readonly #stored = new StoredObjects();
  readonly #progress = new ProgressCount();
  #bodies = new Map<number, { readonly bodies: readonly UploadBody[]; next: number }>();
  #timeoutMs = 30_000;
  #attemptCountMax = 1;
  #sampleCount = 0;
  #keyCount = 0;
  #failuresInARow = 0;
  #lastPingAt: number | null = null;
  #cpuBefore: NodeJS.CpuUsage | null = null;
  /** Bytes of bodies that were sent or received by timed operations. */
  transferredBytes = 0;
  failureCount = 0;
  warmUpCount = 0;
  /** Uploads whose ETag says nothing of their content. */
  uncheckedEtagCount = 0;
  storedCheck: StoredCheck | null = null;
  clockCheck: ClockCheck | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#prepare = createPreparer(options.target, options.credentials, options.nowMs);
    this.#random = createRandom(options.seed);
    this.wireTarget = wireTargetOf(options.target);
    this.#beginning = { utcMs: options.nowMs(), at: performance.now() };
    this.#settling = new SettlingSamples(options.onSample);
  }

  get progress(): ProgressCount {
    return this.#progress;
  }

  get startedAtMs(): number {
    return this.#beginning.utcMs;
  }

  get tls(): { protocol: string; cipher: string } | null {
    return this.#connections[0]?.tls ?? null;
  }

  /** TCP connections that were opened for requests; pings have their own. */
  get openedConnectionCount(): number {
    return this.#connections.reduce((sum, { openedCount }) => sum + openedCount, 0);
  }

  /** Processor time of this process since the first timed operation. */
  get cpu(): { userMs: number; systemMs: number } {
    if (this.#cpuBefore === null) return { userMs: 0, systemMs: 0 };
    const { user, system } = process.cpuUsage(this.#cpuBefore);
    return { userMs: user / 1000, systemMs: system / 1000 };
  }

  readonly shuffle = <T>(items: readonly T[]): T[] => shuffled(items, this.#random);

  configure({ timeoutMs, attemptCountMax }: { timeoutMs: number; attemptCountMax: number }): void {
    this.#timeoutMs = timeoutMs;
    this.#attemptCountMax = attemptCountMax;
  }

  /** How many samples there will be. */
  expect(sampleCount: number): void {
    this.#progress.expectCount(sampleCount);
  }

  expectSeconds(seconds: number): void {
    this.#progress.expectSeconds(seconds);
  }

  say(text: string): void {
    this.#progress.say(text);
  }

  /** Makes the bodies of these sizes, in place of those before. */
  async prepareBodies(sizesBytes: readonly number[]): Promise<void> {
    this.#bodies = new Map();
    for (const sizeBytes of sizesBytes) {
      this.#bodies.set(sizeBytes, { bodies: createBodies(this.#options.seed, sizeBytes), next: 0 });
      await new Promise((resolve) => setImmediate(resolve));
    }
    collectGarbage();
  }

  async createBlocks(blockBytes: number, blockCount: number): Promise<readonly UploadBody[]> {
    const blocks = createBlocks(this.#options.seed, blockBytes, blockCount);
    collectGarbage();
    return blocks;
  }

  /** Asks the endpoint one thing that is not timed; rejects with an EndpointError when the run has no sense. */
  async greet(signal: AbortSignal): Promise<void> {
    const { target, runPrefix, nowMs } = this.#options;
    const query = { "list-type": "2", "max-keys": "1", prefix: runPrefix };
    const sentMs = nowMs();
    const exchange = await this.#connection(0).exchange(this.#prepare({ method: "GET", query }), {
      timeoutMs: this.#timeoutMs,
      signal,
    });
    const failure = failureOf(exchange, nowMs());
    if (exchange.result.kind === "answered")
      this.clockCheck = clockCheckOf(exchange.result.headers, sentMs, nowMs());
    if (failure !== null && !isTransient(failure)) throw new EndpointError(failure, target);
  }

  /** Like a timed operation, but no sample. */
  async warmUp(operation: TimedOperation, signal: AbortSignal): Promise<void> {
    this.warmUpCount += 1;
    await this.#perform(operation, signal);
  }

  /** One operation and its sample. Rejects when aborted, or when nothing has succeeded for too long. */
  async timed(operation: TimedOperation, signal: AbortSignal): Promise<void> {
    this.#cpuBefore ??= process.cpuUsage();
    const index = this.#sampleCount++;
    const performed = await this.#perform(operation, signal);
    const { exchange, failure, ready, attempts, perceivedMs, achievedPauseMs } = performed;
    const { moments, result, isCold, localPort } = exchange;
    const isPut = operation.operation === "PUT";
    const sentBytes = moments.t5 === undefined ? 0 : operation.sizeBytes;
    const transferredBytes = isPut ? sentBytes : exchange.responseBodyBytes;
    this.transferredBytes += transferredBytes;
    this.#settling.add(
      {
        ...this.#common(index, operation.leg, moments.t0),
        operation: operation.operation,
        outcome: outcomeOf(failure),
        sizeBytes: operation.sizeBytes,
        transferredBytes,
        ...(operation.intendedAt === undefined
          ? {}
          : { intendedDelayMs: ms(moments.t0 - operation.intendedAt) }),
        wireMs: ms(moments.t7 - moments.t0),
        perceivedMs: ms(perceivedMs),
        attempts,
        phases: phasesOf(moments),
        isCold,
        connection: operation.connection,
        ...(localPort === undefined ? {} : { localPort }),
        objectKey: ready.key,
        ...(result.kind === "answered" ? { httpStatus: result.status } : {}),
        ...(failure === null ? {} : { errorCode: failure.code }),
        ...(achievedPauseMs === null ? {} : { achievedPauseMs: ms(achievedPauseMs) }),
      },
      moments,
    );
    this.#count(failure);
  }

  /** One TCP connection to the same address, and its sample. */
  async ping({ leg, pauseMs }: { leg: number; pauseMs: number }, signal: AbortSignal): Promise<void> {
    const index = this.#sampleCount++;
    await waitUntil((this.#lastPingAt ?? 0) + pauseMs, signal);
    const before = this.#lastPingAt;
    const ping = await pingTcp(this.wireTarget, { timeoutMs: this.#timeoutMs, signal });
    const { startedAt, endedAt, outcome, errorCode, localPort } = ping;
    this.#lastPingAt = endedAt;
    const durationMs = ms(endedAt - startedAt);
    this.#settling.add(
      {
        ...this.#common(index, leg, startedAt),
        operation: "TCP_CONNECT",
        outcome,
        sizeBytes: 0,
        transferredBytes: 0,
        wireMs: durationMs,
        perceivedMs: durationMs,
        attempts: 1,
        phases: outcome === "ok" ? { connectMs: durationMs } : {},
        isCold: true,
        ...(localPort === undefined ? {} : { localPort }),
        ...(errorCode === undefined ? {} : { errorCode }),
        ...(before === null ? {} : { achievedPauseMs: ms(startedAt - before) }),
      },
      { t0: startedAt, t7: endedAt },
    );
    this.#count(
      errorCode === undefined
        ? null
        : { kind: outcome === "failed" ? "broken" : "timed-out", code: errorCode },
    );
  }

  /** HEADs of some random keys: did it happen at all? */
  async checkStored(count: number, signal: AbortSignal): Promise<void> {
    const chosen = this.shuffle(this.#stored.all).slice(0, count);
    const failures: string[] = [];
    for (const object of chosen) {
      const request = this.#prepare({ method: "HEAD", key: object.key });
      const exchange = await this.#connection(0).exchange(request, { timeoutMs: this.#timeoutMs, signal });
      const trouble = troubleOf(exchange, object, this.#options.nowMs());
      if (trouble !== null) failures.push(`${object.key}: ${trouble}`);
    }
    this.storedCheck = { checkedCount: chosen.length, failures };
  }

  /** Gives away the samples of which all is known. */
  releaseSettled(): void {
    this.#settling.releaseSettled();
  }

  /** Resolves when every sample has been given away. */
  async end(): Promise<void> {
    for (const connection of this.#connections) connection.close();
    await this.#settling.end();
  }

  #connection(index: number): TimedConnection {
    const existing = this.#connections[index];
    if (existing !== undefined) return existing;
    const connection = new TimedConnection(this.wireTarget);
    this.#connections[index] = connection;
    return connection;
  }

  #common(index: number, leg: number, t0: number) {
    const { slotMs } = this.#options;
    return {
      ...(slotMs === undefined ? {} : { slotMs }),
      index,
      leg,
      startedAtMs: this.#beginning.utcMs + (t0 - this.#beginning.at),
      remoteAddress: remoteAddressOf(this.wireTarget),
    };
  }

  async #perform(operation: TimedOperation, signal: AbortSignal) {
    const connection = this.#connection(operation.connection);
    const endedBefore = connection.lastEndedAt;
    let firstAt: number | null = null;
    for (let attempts = 1; ; attempts += 1) {
      const ready = this.#ready(operation);
      if (attempts === 1) {
        const pauseEnds = endedBefore === null ? 0 : endedBefore + (operation.pauseMs ?? 0);
        await waitUntil(operation.intendedAt ?? pauseEnds, signal);
      }
      const exchange = await connection.exchange(ready.request, { timeoutMs: this.#timeoutMs, signal });
      firstAt ??= exchange.moments.t0;
      const failure = this.#judge(exchange, ready);
      if (failure !== null && attempts < this.#attemptCountMax && isTransient(failure)) continue;
      return {
        exchange,
        failure,
        ready,
        attempts,
        perceivedMs: exchange.moments.t7 - firstAt,
        achievedPauseMs: endedBefore === null ? null : firstAt - endedBefore,
      };
    }
  }

  #ready({ operation, sizeBytes, leg, body: given, keyName }: TimedOperation): Ready {
    if (operation === "PUT") {
      const body = given ?? this.#nextBody(sizeBytes);
      const key = `${this.#options.runPrefix}${leg}/${keyName ?? this.#nextName()}`;
      return { request: this.#prepare({ method: "PUT", key, body }), key, body, object: null };
    }
    const object = this.#stored.pick(sizeBytes, this.#random);
    assert(object, `No upload of ${sizeBytes} B has succeeded that a ${operation} could be of.`);
    if (operation === "DELETE") this.#stored.forget(object);
    return {
      request: this.#prepare({ method: operation, key: object.key }),
      key: object.key,
      body: null,
      object,
    };
  }

  #nextBody(sizeBytes: number): UploadBody {
    const ofSize = this.#bodies.get(sizeBytes);
    assert(ofSize, `The bodies of ${sizeBytes} B were not prepared.`);
    const body = ofSize.bodies[ofSize.next % ofSize.bodies.length] as UploadBody;
    ofSize.next += 1;
    return body;
  }

  #nextName(): string {
    const random = Math.floor(this.#random() * 4_294_967_296);
    return `${random.toString(16).padStart(8, "0")}-${this.#keyCount++}`;
  }

  /** What the exchange failed of, contents included. */
  #judge(exchange: Exchange, { key, body, object }: Ready): EndpointFailure | null {
    const failure = failureOf(exchange, this.#options.nowMs());
    if (failure !== null || exchange.result.kind !== "answered") return failure;
    const { headers, status } = exchange.result;
    if (body !== null) {
      const etag = compareEtag(headers, body);
      if (etag === "other") return { kind: "answered", code: "EtagMismatch", status };
      if (etag === "unknown") this.uncheckedEtagCount += 1;
      this.#stored.keep({ key, sizeBytes: body.bytes.length, md5Hex: body.md5Hex });
    } else if (
      object !== null &&
      exchange.responseBodyBytes > 0 &&
      exchange.responseBodyBytes !== object.sizeBytes
    ) {
      return { kind: "answered", code: "SizeMismatch", status };
    }
    return null;
  }

  #count(failure: EndpointFailure | null): void {
    this.#progress.sampleDone();
    if (failure === null) {
      this.#failuresInARow = 0;
      return;
    }
    this.failureCount += 1;
    this.#failuresInARow += 1;
    if (this.#failuresInARow >= FAILURES_IN_A_ROW_MAX) throw new EndpointError(failure, this.#options.target);
  }
}

function outcomeOf(failure: EndpointFailure | null): BenchmarkSample["outcome"] {
  if (failure === null) return "ok";
  return failure.kind === "timed-out" ? "timed-out" : "failed";
}

/** Rejects with the signal's reason when aborted. */
async function waitUntil(time: number, signal: AbortSignal): Promise<void> {
  const delayMs = time - performance.now();
  if (delayMs <= 0) return;
  await sleep(Math.ceil(delayMs), undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** Where the process allows it, so that what preparing left behind is not collected in a sample. */
function collectGarbage(): void {
  (globalThis as { gc?: () => void }).gc?.();
}
