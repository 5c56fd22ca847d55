/**
 * Remembers every statement and action of a pod that is irrevocable. The pod's medium reports which promises are
 * durable; everything else follows from the pod's requests.
 */
import type { PodAnswers, Position } from "@stashlight/shard-store";
import {
  LOWEST_ORDER,
  type Message,
  type Outcome,
  objectNameOf,
  type Refusal,
  type UploadHeader,
  type UploadId,
  type VersionOrder,
} from "@stashlight/write-path";
import type { Violation } from "./oracle.ts";

type Answer = Extract<Message, { type: "coordinator.probed" }>;

export class PodMemory {
  readonly #podIndex: number;
  readonly #promised = new Set<UploadId>();
  #horizon: VersionOrder = LOWEST_ORDER;
  /** Deletions that this boot has forgotten, by object name. */
  readonly #forgotten = new Map<string, VersionOrder>();

  /** Tombstones on their way to the log whose write frees space on this pod. */
  readonly #removals = new Set<UploadId>();
  /** Last outcome that the medium was asked to keep for the next boot. */
  #remembered = "";
  readonly #onReserveExhausted: (uploadId: UploadId) => void;

  constructor(podIndex: number, onReserveExhausted: (uploadId: UploadId) => void) {
    this.#podIndex = podIndex;
    this.#onReserveExhausted = onReserveExhausted;
  }

  /** A boot starts with the state that its medium holds. */
  started(refusals: readonly Refusal[], horizon: VersionOrder): void {
    this.#forgotten.clear();
    this.#promised.clear();
    this.#removals.clear();
    for (const { uploadId } of refusals) this.#promised.add(uploadId);
    this.#horizon = horizon;
  }

  /** Wraps the medium's answers, to observe them on their way to the pod. */
  hearing(answers: PodAnswers): PodAnswers {
    return {
      ...answers,
      refusalPersisted: (uploadId) => {
        this.#promised.add(uploadId);
        answers.refusalPersisted(uploadId);
      },
      horizonPersisted: (horizon) => {
        if (horizon > this.#horizon) this.#horizon = horizon;
        answers.horizonPersisted(horizon);
      },
      appended: (uploadId, shardIndex, position) => {
        this.#removals.delete(uploadId);
        answers.appended(uploadId, shardIndex, position);
      },
      appendFailed: (uploadId, shardIndex, reason) => {
        if (this.#removals.delete(uploadId) && reason === "full") this.#onReserveExhausted(uploadId);
        answers.appendFailed(uploadId, shardIndex, reason);
      },
    };
  }

  /** The medium was asked to keep this outcome for the next boot. */
  mediumRemembered(position: Position, outcome: Outcome): void {
    this.#remembered = `${position} ${outcome}`;
  }

  /** The pod wants its next boot to know this outcome, so its shell must have stored it. */
  judgeRemembered(position: Position, outcome: Outcome): Violation | null {
    if (this.#remembered === `${position} ${outcome}`) return null;
    const sentence = `Pod ${this.#podIndex} knows that the upload at position ${position} is ${outcome}, and did not record that on its medium.`;
    return { property: "liveness", sentence };
  }

  removalAppended(uploadId: UploadId): void {
    this.#removals.add(uploadId);
  }

  promiseForgotten(uploadId: UploadId): void {
    this.#promised.delete(uploadId);
  }

  /** The pod dropped a deletion and holds no other version of its key. */
  deletionForgotten(tombstone: UploadHeader): void {
    this.#forgotten.set(objectNameOf(tombstone), tombstone.order);
  }

  /** Judges the pod's answer about an upload, which may be a promise never to take it. */
  judgeAnswer({ answer, requestId }: Answer, questions: ReadonlyMap<number, UploadHeader>): Violation | null {
    const upload = questions.get(requestId);
    if (upload === undefined) return null;
    const { uploadId, order } = upload;
    if (answer === "durable" && this.#promised.has(uploadId)) {
      const sentence = `Pod ${this.#podIndex} holds upload ${uploadId}, which it promised never to take.`;
      return { property: "S7", sentence };
    }
    if (answer !== "refused" && answer !== "knownRefused") return null;
    if (this.#promised.has(uploadId) || order < this.#horizon) return null;
    const sentence = `Pod ${this.#podIndex} promised never to take upload ${uploadId}, and its medium does not hold that promise.`;
    return { property: "S4", sentence };
  }

  /**
   * Judges the pod's statement that everything below this order is final, on which others rely to forget deletions.
   */
  judgeFinal(finalBelow: VersionOrder): Violation | null {
    if (finalBelow <= this.#horizon) return null;
    const sentence = `Pod ${this.#podIndex} called everything below ${finalBelow} final, and its medium holds no such horizon.`;
    return { property: "S4", sentence };
  }

  /** The pod stores a shard of this upload and has no higher version of its key. */
  judgeAppend(upload: UploadHeader): Violation | null {
    const forgotten = this.#forgotten.get(objectNameOf(upload));
    if (forgotten === undefined || upload.order > forgotten) return null;
    const sentence = `Pod ${this.#podIndex} took upload ${upload.uploadId} after it had forgotten the deletion ${upload.order === forgotten ? "that it is" : "above it"}.`;
    return { property: "S7", sentence };
  }
}
