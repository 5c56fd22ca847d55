/** Answers the console's questions about buckets, for one of the vaults behind the endpoint. */
import { bucketQuestionsAnswerWithinMs, bucketQuestionsAskedEveryMs } from "@stashlight/contracts/bucket";
import { monotonicNowMs } from "@stashlight/node-runtime";
import { askBucketQuestions } from "@stashlight/telemetry";
import type { Logger } from "pino";
import { NO_KEY, openIngestAccess } from "../ingest-access.ts";
import { openAuditLog } from "../lost/audit-log.ts";
import type { VaultSession } from "../session.ts";
import { type AnswerOptions, answerQuestion } from "./answer-question.ts";
import { DeletionLines } from "./deletion-lines.ts";
import { QuestionExchange } from "./exchange-questions.ts";

export interface StartBucketsOptions extends Pick<AnswerOptions, "vault" | "keyring" | "check"> {
  readonly session: Pick<VaultSession, "file" | "node">;
  /** State folder of the first vault behind the endpoint, which holds the audit log. */
  readonly stateFolder: string;
  readonly logger: Logger;
}

/** Starts polling for questions and returns a function that stops it. Does nothing for a vault without an ingest. */
export async function startBuckets(options: StartBucketsOptions): Promise<() => void> {
  const { session, stateFolder, logger, ...rest } = options;
  const { telemetry } = session.file;
  if (telemetry === undefined) return () => {};
  const access = await openIngestAccess(telemetry, session.node, bucketQuestionsAnswerWithinMs);
  const answering = {
    ...rest,
    audit: openAuditLog(stateFolder),
    wallMs: Date.now,
    steadyMs: monotonicNowMs,
  };
  const exchange = new QuestionExchange({
    ask: async (report) => {
      const asking = access();
      return asking === null ? { type: "failed", reason: NO_KEY } : await askBucketQuestions(asking, report);
    },
    answer: (question) => answerQuestion(answering, question),
    deletions: new DeletionLines(stateFolder),
    everyMs: bucketQuestionsAskedEveryMs,
    onFailure: (error) => logger.error({ err: error }, "a question about buckets failed"),
  });
  exchange.start();
  return () => exchange.stop();
}
