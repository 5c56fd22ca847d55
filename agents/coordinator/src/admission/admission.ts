/**
 * Decides which requests are served, and in which order: the shell around the lanes, with clock and metrics.
 *
 * A request is admitted or shed before its body is read. An admitted upload is received first and takes a slot of its
 * lane when its body has arrived, so a slow client occupies no slot. Other requests take their slot before they begin.
 * The total bytes of held bodies are limited.
 */
import { type AdmissionRequest, S3Error } from "@stashlight/s3";
import type { CounterHandle, HistogramHandle, Recorder } from "@stashlight/telemetry";
import type { UploadWork } from "../vault/vault.ts";
import { type Expected, Lane, SERVE_WITHIN_MS, type ShedReason, type Work } from "./lane.ts";
import { type LaneName, laneLimits, laneOf, REQUEST_COST_BYTES } from "./operations.ts";

export interface AdmissionOptions {
  readonly recorder: Recorder;
  readonly nowMs: () => number;
  /** Longer bodies are streamed piece by piece. */
  readonly smallUploadBytesMax: number;
  readonly pieceBytes: number;
}

interface Ticket {
  readonly request: AdmissionRequest;
  readonly expected: Expected | null;
}

interface Turn {
  readonly operation: string;
  readonly enter: () => void;
  readonly turnAway: (error: S3Error) => void;
}

/** Limit on whole bodies that are arriving, waiting or being stored: as much as a fast vault stores in a second. */
const HELD_BYTES_MAX = 67_108_864;
/** Limit on streamed bodies. Each counts as two pieces: one is filled while the other is stored. */
const STREAM_BYTES_MAX = 536_870_912;
const EXPIRY_EVERY_MS = 100;
/** Key for work that no client requested. */
const OWN_KEY = "";

export class Admission {
  readonly #options: AdmissionOptions;
  readonly #lanes: Readonly<Record<LaneName, Lane<Turn>>> = {
    upload: new Lane(laneLimits.upload),
    read: new Lane(laneLimits.read),
    list: new Lane(laneLimits.list),
    delete: new Lane(laneLimits.delete),
  };
  readonly #tickets = new Map<string, Ticket>();
  readonly #waits = new Map<string, HistogramHandle>();
  readonly #sheds = new Map<string, CounterHandle>();
  #wholeBytes = 0;
  #streamBytes = 0;
  #expiry: NodeJS.Timeout | null = null;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Bytes of bodies that admitted requests may hold. */
  get heldBytes(): number {
    return this.#wholeBytes + this.#streamBytes;
  }

  /** Number of requests that wait for their turn, in all lanes. */
  get waitingCount(): number {
    return Object.values(this.#lanes).reduce((sum, { waitingCount }) => sum + waitingCount, 0);
  }

  /**
   * Resolves with a function to call when the request ends; rejects with SlowDown if the request would not be served in
   * time.
   */
  async admit(request: AdmissionRequest): Promise<() => void> {
    const name = laneOf[request.operation];
    if (name === "upload") return this.#admitUpload(request);
    return await this.#enter(name, request);
  }

  #admitUpload(request: AdmissionRequest): () => void {
    const { requestId, accessKeyId, bodyBytes } = request;
    const lane = this.#lanes.upload;
    const nowMs = this.#options.nowMs();
    const cost = this.#costOf(bodyBytes);
    // A stream is received and stored piece by piece, which takes an unpredictable time.
    const isStream = bodyBytes > this.#options.smallUploadBytesMax;
    if (!this.#hasRoomFor(bodyBytes)) throw this.#shed(lane, request.operation, "memory");
    const reason = isStream ? null : lane.judge(accessKeyId, cost, nowMs);
    if (reason !== null) throw this.#shed(lane, request.operation, reason);
    this.#hold(bodyBytes, 1);
    const expected = isStream ? null : lane.expect(accessKeyId, cost, nowMs);
    this.#tickets.set(requestId, { request, expected });
    return () => {
      this.#tickets.delete(requestId);
      if (expected !== null) lane.callOff(expected);
      this.#hold(bodyBytes, -1);
    };
  }

  #costOf(bodyBytes: number): number {
    return REQUEST_COST_BYTES + Math.min(bodyBytes, this.#options.pieceBytes);
  }

  #hasRoomFor(bodyBytes: number): boolean {
    const { smallUploadBytesMax, pieceBytes } = this.#options;
    if (bodyBytes <= smallUploadBytesMax) return this.#wholeBytes + bodyBytes <= HELD_BYTES_MAX;
    const bytes = 2 * Math.min(bodyBytes, pieceBytes);
    return this.#streamBytes === 0 || this.#streamBytes + bytes <= STREAM_BYTES_MAX;
  }

  #hold(bodyBytes: number, sign: 1 | -1): void {
    const { smallUploadBytesMax, pieceBytes } = this.#options;
    if (bodyBytes <= smallUploadBytesMax) this.#wholeBytes += sign * bodyBytes;
    else this.#streamBytes += sign * 2 * Math.min(bodyBytes, pieceBytes);
  }

  async #enter(name: LaneName, { operation, accessKeyId }: AdmissionRequest): Promise<() => void> {
    const lane = this.#lanes[name];
    const reason = lane.judge(accessKeyId, 1, this.#options.nowMs());
    if (reason !== null) throw this.#shed(lane, operation, reason);
    const work: Work = { key: accessKeyId, cost: 1, bytes: 0, isPatient: false };
    await this.#turn(lane, work, operation);
    return this.#started(lane, work);
  }

  /** Runs the work when its turn comes; rejects with SlowDown if that is too late. */
  async runUpload<Result>(
    { requestId, bytes, isPatient }: UploadWork,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const lane = this.#lanes.upload;
    const ticket = requestId === null ? undefined : this.#tickets.get(requestId);
    const accessKeyId = ticket?.request.accessKeyId ?? OWN_KEY;
    // Pieces have a separate queue, because otherwise a key's small uploads would wait behind its large ones.
    const key = isPatient ? `${accessKeyId} in pieces` : accessKeyId;
    const work: Work = { key, cost: this.#costOf(bytes), bytes, isPatient };
    const turn = this.#turn(lane, work, ticket?.request.operation ?? "own");
    if (ticket?.expected) lane.callOff(ticket.expected);
    await turn;
    const end = this.#started(lane, work);
    try {
      return await run();
    } finally {
      end();
    }
  }

  #turn(lane: Lane<Turn>, work: Work, operation: string): Promise<void> {
    return new Promise((enter, turnAway) => {
      lane.push(work, { operation, enter, turnAway }, this.#options.nowMs());
      this.#begin(lane);
    });
  }

  #started(lane: Lane<Turn>, work: Work): () => void {
    return () => {
      lane.end(work, this.#options.nowMs());
      this.#begin(lane);
    };
  }

  #begin(lane: Lane<Turn>): void {
    for (const { item, waitedMs } of lane.begin(this.#options.nowMs())) {
      this.#waitsOf(item.operation).record(waitedMs / 1000);
      item.enter();
    }
    if (lane.waitingCount > 0) this.#expiry ??= setTimeout(() => this.#expire(), EXPIRY_EVERY_MS);
  }

  /** Sheds work that has waited too long, periodically while any work waits. */
  #expire(): void {
    this.#expiry = null;
    for (const lane of Object.values(this.#lanes)) {
      for (const { operation, turnAway } of lane.expire(this.#options.nowMs()))
        turnAway(this.#shed(lane, operation, "too late"));
      this.#begin(lane);
    }
  }

  /** Call only when no work is waiting. */
  stop(): void {
    if (this.#expiry !== null) clearTimeout(this.#expiry);
  }

  #shed(lane: Lane<Turn>, operation: string, reason: ShedReason): S3Error {
    this.#shedsOf(operation, reason).add();
    const seconds = lane.retryAfterSeconds(this.#options.nowMs());
    return new S3Error("SlowDown", shedTexts[reason], { headers: { "retry-after": String(seconds) } });
  }

  #waitsOf(operation: string): HistogramHandle {
    const known = this.#waits.get(operation);
    if (known !== undefined) return known;
    const waits = this.#options.recorder.histogram("stashlight_admission_wait_seconds", { operation });
    this.#waits.set(operation, waits);
    return waits;
  }

  #shedsOf(operation: string, reason: ShedReason): CounterHandle {
    const name = `${operation} ${reason}`;
    const known = this.#sheds.get(name);
    if (known !== undefined) return known;
    const sheds = this.#options.recorder.counter("stashlight_requests_shed_total", { operation, reason });
    this.#sheds.set(name, sheds);
    return sheds;
  }
}

const shedTexts: Readonly<Record<ShedReason, string>> = {
  "too late": `The vault is busy: the request would not be answered within ${SERVE_WITHIN_MS / 1000} s. Try again later.`,
  "queue delay": "This access key exceeds its share of the vault's capacity. Send less, or try again later.",
  "queue full": "Too many requests of this access key are already waiting. Send fewer at a time.",
  memory: "The vault has no memory for more request bodies at the moment. Try again later.",
};
