/** POST /v1/object-questions. Its protocol is described in contracts' object-location.ts. */
import type { IncomingMessage } from "node:http";
import { objectAnswersSchema } from "@stashlight/contracts/object-location";
import { exchangeObjectQuestions } from "@stashlight/services/object-location/exchange";
import { withBodyMemory } from "../body-memory.ts";
import { type Answer, json } from "../http/answer.ts";
import { announcedBytes, parseAs, readBody } from "../http/body.ts";
import type { Ingest } from "../ingest.ts";
import { authenticatedNode, nodeSighting } from "./authenticated.ts";
import { requirePrivate } from "./private.ts";
import { admitWithin } from "./receive-measurements.ts";

export async function exchangeObjects(ingest: Ingest, request: IncomingMessage): Promise<Answer> {
  const node = await authenticatedNode(ingest, request);
  ingest.heartbeats.record(nodeSighting(ingest, request, node.nodeId));
  admitWithin(ingest.objectQuestionsOfNode, node, "The coordinator asks for questions too often.");
  requirePrivate(ingest, request, "Names of objects are private, so they are served");
  const length = announcedBytes(request, ingest.limits.objectAnswersBytesMax);
  const body = await withBodyMemory(ingest, length, () => readBody(request, length));
  const { answers, lost } = parseAs(body, objectAnswersSchema, "The answers'");
  const questions = await exchangeObjectQuestions(ingest.platform, node, answers, lost);
  return json(200, { questions });
}
