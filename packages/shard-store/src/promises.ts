/**
 * Records of a node that belong to no shard: its promises never to accept an upload, and its horizon, which is such a
 * promise for all uploads below an order. Each kind waits for space without a limit, in a separate queue, so that
 * promises delay neither the horizon, which makes them superfluous, nor the tombstones, which free space.
 */
import type { LogError, RecordInput, ShardLog, SpaceClass } from "@stashlight/shard-log";
import { LOWEST_ORDER, type Refusal, type UploadId, type VersionOrder } from "@stashlight/write-path";
import type { PodAnswers, StoreWitness } from "./answers.ts";
import type { KeptRecord } from "./records.ts";
import * as records from "./records.ts";
import type { SpaceQueue } from "./space-queue.ts";

/** The parts of the store that promises need: its log, its answers, and the state of pending calls. */
export interface PromiseHost {
  readonly log: ShardLog;
  /** Creates a queue for records that wait for space. */
  readonly waitingRoom: () => SpaceQueue;
  readonly witness: StoreWitness | undefined;
  /** Number of requests that the machine has not answered yet. */
  readonly pending: { count: number };
  readonly isEnded: () => boolean;
  readonly call: (action: (log: ShardLog) => void) => void;
  readonly answer: (action: (answers: PodAnswers) => void) => void;
  readonly isForRoom: (error: LogError) => boolean;
}

export interface SavedPromises {
  readonly refusals: readonly Refusal[];
  /** The lowest order if there is none. */
  readonly horizon: VersionOrder;
}

export class Promises {
  readonly #host: PromiseHost;
  readonly #queues: { readonly repair: SpaceQueue; readonly horizon: SpaceQueue };
  readonly #refusals = new Map<string, Refusal>();
  #horizon: VersionOrder = LOWEST_ORDER;

  constructor(host: PromiseHost) {
    this.#host = host;
    this.#queues = { repair: host.waitingRoom(), horizon: host.waitingRoom() };
  }

  save(): SavedPromises {
    return { refusals: [...this.#refusals.values()], horizon: this.#horizon };
  }

  restore({ refusals, horizon }: SavedPromises): void {
    for (const refusal of refusals) this.#refusals.set(records.keyOfRefusal(refusal), refusal);
    this.#horizon = horizon;
  }

  /** Restores a record found on the volume that belongs to no shard. */
  recovered(kept: KeptRecord): void {
    if (records.isHorizon(kept)) this.#horizon = kept.horizon;
    else if (records.isRefusal(kept)) this.#refusals.set(records.keyOfRefusal(kept), kept);
  }

  /** Drops a promise whose record was killed or replaced after it was saved. */
  displaced(key: string): void {
    this.#refusals.delete(key);
  }

  persistRefusal(refusal: Refusal): void {
    const key = records.keyOfRefusal(refusal);
    this.#refusals.set(key, refusal);
    const { uploadId } = refusal;
    const record = records.recordOfRefusal(refusal);
    this.#persist(key, record, "repair", (answers) => answers.refusalPersisted(uploadId));
  }

  /** Drops a promise that the horizon covers, or that is void. */
  forgetRefusal(uploadId: UploadId): void {
    const key = records.keyOfRefusal({ uploadId });
    if (!this.#refusals.delete(key)) return;
    this.#host.call((log) => {
      this.#host.witness?.killed(key, log.nextLsn);
      log.kill([records.idOfRefusal(uploadId)]);
    });
  }

  persistHorizon(horizon: VersionOrder): void {
    this.#horizon = horizon;
    const record = records.recordOfHorizon(horizon);
    this.#persist(records.HORIZON_KEY, record, "horizon", (answers) => answers.horizonPersisted(horizon));
  }

  /** Returns the record under this key, to write it again; null if the key is not one of these. */
  recordOf(key: string): RecordInput | null {
    if (key === records.HORIZON_KEY) return records.recordOfHorizon(this.#horizon);
    const refusal = this.#refusals.get(key);
    return refusal === undefined ? null : records.recordOfRefusal(refusal);
  }

  /** Number of records that wait for space. */
  get waitingCount(): number {
    return this.#queues.repair.waitingCount + this.#queues.horizon.waitingCount;
  }

  /** Ends all attempts to write waiting records. */
  end(): void {
    for (const queue of Object.values(this.#queues)) queue.end();
  }

  #persist(
    key: string,
    record: RecordInput,
    room: Extract<SpaceClass, "repair" | "horizon">,
    answer: (answers: PodAnswers) => void,
  ): void {
    const { log, witness, pending, isEnded, call, isForRoom } = this.#host;
    const append = witness?.appended(key, null) ?? 0;
    pending.count += 1;
    const failed = () => this.#host.answer((answers) => answers.flushFailed());
    const flush = () =>
      log.flush((error) => {
        if (isEnded()) return;
        if (error !== null) failed();
        else {
          witness?.claimed(key, append);
          pending.count -= 1;
          this.#host.answer(answer);
        }
      });
    this.#queues[room].submit(() => {
      let isTaken = true;
      call(() =>
        log.append(
          record,
          (error) => {
            if (isEnded()) return;
            if (error === null) flush();
            else if (isForRoom(error)) isTaken = false;
            else failed();
          },
          room,
        ),
      );
      return isTaken;
    }, null);
  }
}
