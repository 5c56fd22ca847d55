/**
 * Polls the ingest every few seconds for the console's questions about buckets, works on several at a time, and sends
 * each answer as soon as it is ready.
 *
 *     waiting --the time, or an answer is there--> asking --questions--> each is worked on
 *        ^------------------------------------------'
 */
import {
  type BucketAnswer,
  type BucketQuestion,
  type BucketReport,
  bucketAnswerSchema,
  bucketQuestionsAtOnceMax,
  type GivenBucketAnswer,
  type TakenBucketQuestion,
} from "@stashlight/contracts/bucket";
import type { BucketQuestionsAnswer } from "@stashlight/telemetry";
import type { DeletionLines, DeletionPage } from "./deletion-lines.ts";

export interface QuestionExchangeOptions {
  /** Never rejects. */
  readonly ask: (report: BucketReport) => Promise<BucketQuestionsAnswer>;
  readonly answer: (question: BucketQuestion) => Promise<BucketAnswer>;
  readonly deletions: Pick<DeletionLines, "read" | "taken">;
  readonly everyMs: number;
  readonly onFailure: (error: unknown) => void;
}

const NOTHING: DeletionPage = { deletions: [], nextOffset: 0 };
const FAILED: BucketAnswer = {
  type: "refused",
  reason: "The coordinator failed to answer the question; its log has the reason.",
};

export class QuestionExchange {
  readonly #options: QuestionExchangeOptions;
  /** Questions taken whose answers the ingest does not have yet. */
  readonly #workedOn = new Set<string>();
  readonly #answers: GivenBucketAnswer[] = [];
  #timer: NodeJS.Timeout | null = null;
  #isAsking = false;
  #isStopped = false;

  constructor(options: QuestionExchangeOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#round();
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #round(): Promise<void> {
    if (this.#isAsking || this.#isStopped) return;
    this.#isAsking = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const { ask, deletions, everyMs } = this.#options;
    const page = await deletions.read().catch(() => NOTHING);
    const answers = this.#answers.slice(0, bucketQuestionsAtOnceMax);
    const room = bucketQuestionsAtOnceMax - this.#workedOn.size;
    const asked = await ask({ room, answers, deletions: [...page.deletions] });
    this.#isAsking = false;
    if (this.#isStopped) return;
    if (asked.type === "questions") {
      this.#answers.splice(0, answers.length);
      for (const { questionId } of answers) this.#workedOn.delete(questionId);
      if (page !== NOTHING) deletions.taken(page);
      for (const question of asked.questions) void this.#workOn(question);
    }
    const isBehind = asked.type === "questions" && this.#answers.length > 0;
    this.#timer = setTimeout(() => void this.#round(), isBehind ? 0 : everyMs);
  }

  async #workOn({ questionId, question }: TakenBucketQuestion): Promise<void> {
    const { answer, onFailure } = this.#options;
    this.#workedOn.add(questionId);
    try {
      // Validated here, because an answer that the ingest refuses would block all others.
      this.#answers.push({ questionId, answer: bucketAnswerSchema.parse(await answer(question)) });
    } catch (error) {
      onFailure(error);
      this.#answers.push({ questionId, answer: FAILED });
    }
    await this.#round();
  }
}
