/**
 * Session of a run with its endpoint: open connections, prepared bodies, keys below one prefix, and the samples.
 * Methods choose the operations and their order; all timing is done here.
 */

import type { EndpointCredentials } from "@stashlight/contracts/endpoint";
import type { BenchmarkSample, BenchmarkStage } from "@stashlight/contracts/sample";
import { createUniform, shuffled, type Uniform } from "@stashlight/stats/random";
import { openDriver } from "../drivers/open.ts";
import type { Driver } from "../endpoint/driver.ts";
import { EndpointError } from "../endpoint/explain-failure.ts";
import { type EndpointFailure, isTransient } from "../endpoint/failure.ts";
import { type EndpointTarget, formatRemoteAddress, toWireTarget } from "../endpoint/target.ts";
import { type Exchange, TimedConnection, type WireTarget } from "../wire/connection.ts";
import { pingTcp } from "../wire/ping.ts";
import { collectGarbage, createBlocks, type UploadBody } from "./bodies.ts";
import { type ClockCheck, checkClock } from "./clock-check.ts";
import { type PingAddress, pingInPause } from "./companion-ping.ts";
import { Operations, type ReadyOperation, type TimedOperation } from "./operations.ts";
import { ProgressCount } from "./progress.ts";
import { type CommonPart, sampleOfExchange, sampleOfPing, sampleOfSdk } from "./sample.ts";
import { SdkOperations } from "./sdk-operations.ts";
import { SettlingSamples } from "./settling-samples.ts";
import {
  checkEach,
  describeLeftover,
  describeTrouble,
  type StoredCheck,
  type StoredObject,
} from "./stored-objects.ts";
import { waitUntil } from "./wait-until.ts";

export interface SessionOptions {
  readonly target: EndpointTarget;
  readonly credentials: EndpointCredentials;
  /** Prefix of all keys. */
  readonly runPrefix: string;
  readonly slotMs: number | undefined;
  readonly seed: number;
  /** Wall clock in UTC, for start times and signatures. */
  readonly nowMs: () => number;
  readonly onSample: (sample: BenchmarkSample) => void;
  /** Measures a round trip beside a sample, by default with a TCP connection. */
  readonly ping?: PingAddress;
}

interface Settings {
  readonly timeoutMs: number;
  readonly attemptCountMax: number;
  /** Pause after each timed operation, if a ping fits into it (`rttPause`). */
  readonly rttPauseMs?: number | null;
}

/** Consecutive failures after which the endpoint counts as unreachable, and the run ends. */
const FAILURES_IN_A_ROW_MAX = 10;

export class Session {
  readonly wireTarget: WireTarget;
  readonly #options: SessionOptions;
  readonly #driver: Driver;
  readonly #random: Uniform;
  readonly #connections: TimedConnection[] = [];
  readonly #settling: SettlingSamples;
  readonly #beginning: { readonly utcMs: number; readonly at: number };
  readonly #operations: Operations;
  readonly #progress = new ProgressCount();
  #timeoutMs = 30_000;
  #attemptCountMax = 1;
  #rttPauseMs: number | null = null;
  #sampleCount = 0;
  #failuresInARow = 0;
  #lastPingAt: number | null = null;
  readonly #sdk: SdkOperations;
  #cpuBefore: NodeJS.CpuUsage | null = null;
  /** Bytes of bodies that timed operations sent or received. */
  transferredBytes = 0;
  failureCount = 0;
  warmUpCount = 0;
  storedCheck: StoredCheck | null = null;
  /** Stages of the method that have ended, in that order; they are kept if the run fails later. */
  readonly stages: BenchmarkStage[] = [];
  clockCheck: ClockCheck | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#driver = openDriver(options.target, options.credentials, options.nowMs);
    this.#random = createUniform(options.seed);
    const { runPrefix, seed } = options;
    this.#operations = new Operations({ driver: this.#driver, runPrefix, seed, random: this.#random });
    this.#sdk = new SdkOperations(options, this.#operations);
    this.wireTarget = toWireTarget(options.target);
    this.#beginning = { utcMs: options.nowMs(), at: performance.now() };
    this.#settling = new SettlingSamples(options.onSample);
  }

  get progress(): ProgressCount {
    return this.#progress;
  }

  /** Uploads whose ETag reveals nothing about their content. */
  get uncheckedEtagCount(): number {
    return this.#operations.uncheckedEtagCount;
  }

  get startedAtMs(): number {
    return this.#beginning.utcMs;
  }

  get tls(): { protocol: string; cipher: string } | null {
    return this.#connections[0]?.tls ?? null;
  }

  /** TCP connections that were opened for requests; pings are not counted. */
  get openedConnectionCount(): number {
    const opened = this.#connections.reduce((sum, { openedCount }) => sum + openedCount, 0);
    return opened + this.#sdk.openedCount;
  }

  /** Processor time of this process since the first timed operation. */
  get cpu(): { userMs: number; systemMs: number } {
    if (this.#cpuBefore === null) return { userMs: 0, systemMs: 0 };
    const { user, system } = process.cpuUsage(this.#cpuBefore);
    return { userMs: user / 1000, systemMs: system / 1000 };
  }

  readonly shuffle = <T>(items: readonly T[]): T[] => shuffled(items, this.#random);

  configure({ timeoutMs, attemptCountMax, rttPauseMs = null }: Settings): void {
    this.#timeoutMs = timeoutMs;
    this.#attemptCountMax = attemptCountMax;
    this.#rttPauseMs = rttPauseMs;
  }

  /** Sets the expected number of samples. */
  expect(sampleCount: number): void {
    this.#progress.expectCount(sampleCount);
  }

  expectSeconds(seconds: number): void {
    this.#progress.expectSeconds(seconds);
  }

  say(text: string): void {
    this.#progress.say(text);
  }

  /** Creates the bodies of these sizes, and drops the previous ones. */
  async prepareBodies(sizesBytes: readonly number[]): Promise<void> {
    await this.#operations.prepareBodies(sizesBytes);
    collectGarbage();
  }

  async createBlocks(blockBytes: number, blockCount: number): Promise<readonly UploadBody[]> {
    const blocks = createBlocks(this.#options.seed, blockBytes, blockCount);
    collectGarbage();
    return blocks;
  }

  /** Sends the endpoint one untimed request; rejects with an EndpointError if it fails and a retry cannot help. */
  async greet(signal: AbortSignal): Promise<void> {
    const { target, runPrefix, nowMs } = this.#options;
    await this.#driver.renew(signal);
    const request = this.#driver.list(runPrefix, 1);
    const sentMs = nowMs();
    const exchange = await this.#connection(0).exchange(request, { timeoutMs: this.#timeoutMs, signal });
    const failure = this.#driver.failureOf(exchange);
    if (exchange.result.kind === "answered")
      this.clockCheck = checkClock(exchange.result.headers, sentMs, nowMs());
    if (failure !== null && !isTransient(failure)) throw new EndpointError(failure, target);
  }

  /** Runs like a timed operation, but records no sample. */
  async warmUp(operation: TimedOperation, signal: AbortSignal): Promise<StoredObject | null> {
    this.warmUpCount += 1;
    return this.#objectOf(await this.#perform(operation, signal));
  }

  /**
   * Runs one operation and records its sample. Resolves with its object, or null if it failed; rejects when aborted, or
   * after too many consecutive failures.
   */
  async timed(operation: TimedOperation, signal: AbortSignal): Promise<StoredObject | null> {
    this.#cpuBefore ??= process.cpuUsage();
    const index = this.#sampleCount++;
    const performed = await this.#perform(operation, signal);
    const { moments } = performed.exchange;
    const sample = sampleOfExchange(this.#common(index, operation.leg, moments.t0), operation, performed);
    this.transferredBytes += sample.transferredBytes;
    if (this.#rttPauseMs === null) {
      this.#settling.add(sample, moments);
    } else {
      // Expensive work is done before the ping, so that the ping does not include it.
      this.#settling.releaseSettled();
      const roundTrip = await this.#pingUntil(moments.t7 + this.#rttPauseMs, signal);
      this.#settling.hold({ ...sample, ...roundTrip }, moments);
    }
    this.#count(performed.failure);
    return this.#objectOf(performed);
  }

  async warmUpBySdk(operation: TimedOperation, signal: AbortSignal): Promise<void> {
    this.warmUpCount += 1;
    await this.#sdk.perform(operation, this.#timeoutMs, signal);
  }

  /**
   * Uploads once through the AWS SDK and records a sample: signing and all other work of the SDK are part of its time.
   */
  async timedBySdk(operation: TimedOperation, signal: AbortSignal): Promise<void> {
    this.#cpuBefore ??= process.cpuUsage();
    const index = this.#sampleCount++;
    const performed = await this.#sdk.perform(operation, this.#timeoutMs, signal);
    const { startedAt, endedAt, failure } = performed;
    const sample = sampleOfSdk(this.#common(index, operation.leg, startedAt), operation, performed);
    this.transferredBytes += sample.transferredBytes;
    this.#settling.add(sample, { t0: startedAt, t7: endedAt });
    this.#count(failure);
  }

  /** Opens one TCP connection to the same address, and records it as a sample. */
  async ping({ leg, pauseMs }: { leg: number; pauseMs: number }, signal: AbortSignal): Promise<void> {
    const index = this.#sampleCount++;
    await waitUntil((this.#lastPingAt ?? 0) + pauseMs, signal);
    const before = this.#lastPingAt;
    const ping = await pingTcp(this.wireTarget, { timeoutMs: this.#timeoutMs, signal });
    const { startedAt, endedAt, outcome, errorCode } = ping;
    this.#lastPingAt = endedAt;
    const sample = sampleOfPing(this.#common(index, leg, startedAt), ping, before);
    this.#settling.add(sample, { t0: startedAt, t7: endedAt });
    this.#count(
      errorCode === undefined
        ? null
        : { kind: outcome === "failed" ? "broken" : "timed-out", code: errorCode },
    );
  }

  /** Requests some of the deleted objects, each of which must be gone. */
  async checkDeleted(keys: readonly string[], count: number, signal: AbortSignal): Promise<void> {
    const objects = this.shuffle(keys.map((key) => ({ key })));
    const trouble = (exchange: Exchange) => describeLeftover(this.#driver, exchange);
    this.storedCheck = await checkEach(objects.slice(0, count), (key) => this.#head(key, signal), trouble);
  }

  /** Sends HEADs for some random keys, to check that the uploads exist. */
  async checkStored(count: number, signal: AbortSignal): Promise<void> {
    const objects = this.shuffle(this.#operations.stored.all).slice(0, count);
    const trouble = (exchange: Exchange, object: StoredObject) =>
      describeTrouble(this.#driver, exchange, object);
    this.storedCheck = await checkEach(objects, (key) => this.#head(key, signal), trouble);
  }

  /** Passes on the samples whose disturbances are known. */
  releaseSettled(): void {
    this.#settling.releaseSettled();
  }

  /** Resolves when every sample has been passed on. */
  async end(): Promise<void> {
    for (const connection of this.#connections) connection.close();
    this.#sdk.close();
    await this.#settling.end();
  }

  async #head(key: string, signal: AbortSignal): Promise<Exchange> {
    await this.#driver.renew(signal);
    return this.#connection(0).exchange(this.#driver.head(key), { timeoutMs: this.#timeoutMs, signal });
  }

  #pingUntil(pauseEndsAt: number, signal: AbortSignal) {
    const { ping = pingTcp } = this.#options;
    return pingInPause({ ping, target: this.wireTarget, pauseEndsAt, signal });
  }

  #connection(index: number): TimedConnection {
    const existing = this.#connections[index];
    if (existing !== undefined) return existing;
    const connection = new TimedConnection(this.wireTarget);
    this.#connections[index] = connection;
    return connection;
  }

  #common(index: number, leg: number, t0: number): CommonPart {
    const { slotMs } = this.#options;
    return {
      ...(slotMs === undefined ? {} : { slotMs }),
      index,
      leg,
      startedAtMs: this.#beginning.utcMs + (t0 - this.#beginning.at),
      remoteAddress: formatRemoteAddress(this.wireTarget),
    };
  }

  async #perform(operation: TimedOperation, signal: AbortSignal) {
    const connection = this.#connection(operation.connection);
    const endedBefore = connection.lastEndedAt;
    await this.#driver.renew(signal);
    const ready = this.#operations.ready(operation);
    const pauseEnds = endedBefore === null ? 0 : endedBefore + (operation.pauseMs ?? 0);
    await waitUntil(operation.intendedAt ?? pauseEnds, signal);
    let firstAt: number | null = null;
    for (let attempts = 1; ; attempts += 1) {
      const exchange = await connection.exchange(ready.request, { timeoutMs: this.#timeoutMs, signal });
      firstAt ??= exchange.moments.t0;
      const failure = this.#operations.judge(exchange, ready);
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

  #objectOf({
    failure,
    ready,
  }: {
    failure: EndpointFailure | null;
    ready: ReadyOperation;
  }): StoredObject | null {
    return failure === null ? (ready.object ?? this.#operations.stored.find(ready.key)) : null;
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
