/** GET /v1/node: a node asks whether it is approved, which also reports that it is alive. */
import type { IncomingMessage } from "node:http";
import { type Answer, json } from "../http/answer.ts";
import type { Ingest } from "../ingest.ts";
import { authenticatedNode, nodeSighting } from "./authenticated.ts";

export async function answerNode(ingest: Ingest, request: IncomingMessage): Promise<Answer> {
  const node = await authenticatedNode(ingest, request);
  const sighting = nodeSighting(ingest, request, node.nodeId);
  ingest.heartbeats.record(sighting);
  const { nodeId, name, vault, role, status } = node;
  return json(200, { nodeId, name, vault, role, status, receivedMs: sighting.seenAt.getTime() });
}
