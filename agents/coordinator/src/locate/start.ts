import {
  objectQuestionsAnswerWithinMs,
  objectQuestionsAskedEveryMs,
} from "@stashlight/contracts/object-location";
import type { CoordinatorNode, VaultFile } from "@stashlight/node-runtime/config";
import { askObjectQuestions } from "@stashlight/telemetry";
import { NO_KEY, openIngestAccess } from "../ingest-access.ts";
import type { LostReports } from "../lost/lost-reports.ts";
import { QuestionAnswerer } from "./answer-questions.ts";
import { type LocateOptions, locateObject } from "./locate-object.ts";

/** Starts polling for questions and returns a function that stops it. */
export async function startLocating(
  { telemetry }: VaultFile,
  node: CoordinatorNode,
  options: LocateOptions,
  reports: Pick<LostReports, "due" | "taken">,
): Promise<() => void> {
  if (telemetry === undefined) return () => {};
  const access = await openIngestAccess(telemetry, node, objectQuestionsAnswerWithinMs);
  const answerer = new QuestionAnswerer({
    ask: async (answers) => {
      const asking = access();
      if (asking === null) return { type: "failed", reason: NO_KEY };
      const lost = reports.due();
      const asked = await askObjectQuestions(asking, answers, lost);
      if (lost !== null && asked.type === "questions") reports.taken(lost);
      return asked;
    },
    locate: (object) => locateObject(options, object),
    everyMs: objectQuestionsAskedEveryMs,
  });
  answerer.start();
  return () => answerer.stop();
}
