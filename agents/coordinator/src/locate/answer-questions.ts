/**
 * Polls the ingest every few seconds for objects that users look for, and sends the findings with the next request.
 * Does nothing for a vault without an ingest.
 *
 *     asking --questions--> looking --all found--> asking at once, with the answers
 *        ^--none, or no ingest: a pause--'
 */
import type { ObjectAnswer, ObjectLocation, ObjectName } from "@stashlight/contracts/object-location";
import type { ObjectQuestionsAnswer } from "@stashlight/telemetry";

export interface QuestionAnswererOptions {
  /** Never rejects. */
  readonly ask: (answers: readonly ObjectAnswer[]) => Promise<ObjectQuestionsAnswer>;
  /** Never rejects. */
  readonly locate: (object: ObjectName) => Promise<ObjectLocation>;
  readonly everyMs: number;
}

export class QuestionAnswerer {
  readonly #options: QuestionAnswererOptions;
  #isStopped = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: QuestionAnswererOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#round([]);
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #round(answers: readonly ObjectAnswer[]): Promise<void> {
    const { ask, locate, everyMs } = this.#options;
    const asked = await ask(answers);
    if (this.#isStopped) return;
    const questions = asked.type === "questions" ? asked.questions : [];
    const found: ObjectAnswer[] = [];
    for (const { questionId, bucket, key } of questions) {
      found.push({ questionId, location: await locate({ bucket, key }) });
      if (this.#isStopped) return;
    }
    // An answer that the ingest did not accept is computed again, because its question stays open.
    if (found.length > 0) return this.#round(found);
    this.#timer = setTimeout(() => void this.#round([]), everyMs);
  }
}
