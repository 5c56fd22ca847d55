import { readFile } from "node:fs/promises";
import {
  objectQuestionsAnswerWithinMs,
  objectQuestionsAskedEveryMs,
} from "@stashlight/contracts/object-location";
import { nodeKeyReader } from "@stashlight/node-runtime";
import type { CoordinatorNode, VaultFile } from "@stashlight/node-runtime/config";
import { askObjectQuestions } from "@stashlight/telemetry";
import type { LostReports } from "../lost/lost-reports.ts";
import { QuestionAnswerer } from "./answer-questions.ts";
import { type LocateOptions, locateObject } from "./locate-object.ts";

/** Returns what ends it. */
export async function startLocating(
  { telemetry }: VaultFile,
  node: CoordinatorNode,
  options: LocateOptions,
  reports: Pick<LostReports, "due" | "taken">,
): Promise<() => void> {
  if (telemetry === undefined) return () => {};
  const ca = telemetry.ca === undefined ? {} : { ca: await readFile(telemetry.ca, "utf8") };
  const timeoutMs = objectQuestionsAnswerWithinMs;
  const keyOf = nodeKeyReader(node);
  const asking = { origin: telemetry.ingest, ...ca, timeoutMs, nowMs: Date.now, key: () => keyOf() ?? "" };
  const answerer = new QuestionAnswerer({
    ask: async (answers) => {
      if (keyOf() === null) return { type: "failed", reason: "This node has no key for the ingest yet." };
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
