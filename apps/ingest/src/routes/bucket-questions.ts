/** POST /v1/bucket-questions. Its protocol is described in contracts' bucket.ts. */
import type { IncomingMessage } from "node:http";
import { bucketReportSchema } from "@stashlight/contracts/bucket";
import { exchangeBucketQuestions } from "@stashlight/services/bucket/exchange";
import { withBodyMemory } from "../body-memory.ts";
import { type Answer, json } from "../http/answer.ts";
import { announcedBytes, parseAs, readBody } from "../http/body.ts";
import type { Ingest } from "../ingest.ts";
import { authenticatedNode, nodeSighting } from "./authenticated.ts";
import { requirePrivate } from "./private.ts";
import { admitWithin } from "./receive-measurements.ts";

export async function exchangeBuckets(ingest: Ingest, request: IncomingMessage): Promise<Answer> {
  const node = await authenticatedNode(ingest, request);
  ingest.heartbeats.record(nodeSighting(ingest, request, node.nodeId));
  admitWithin(ingest.bucketQuestionsOfNode, node, "The coordinator asks for questions too often.");
  requirePrivate(ingest, request, "Questions about buckets are answered");
  const length = announcedBytes(request, ingest.limits.bucketAnswersBytesMax);
  const body = await withBodyMemory(ingest, length, () => readBody(request, length));
  const report = parseAs(body, bucketReportSchema, "The report's");
  return json(200, { questions: await exchangeBucketQuestions(ingest.platform, node, report) });
}
