/** GET /v1/access-keys. Its protocol is described in contracts' access-key.ts. */
import type { IncomingMessage } from "node:http";
import { serveAccessKeys } from "@stashlight/services/access-key/serve";
import { type Answer, json } from "../http/answer.ts";
import type { Ingest } from "../ingest.ts";
import { authenticatedNode, nodeSighting } from "./authenticated.ts";
import { requirePrivate } from "./private.ts";
import { admitWithin } from "./receive-measurements.ts";

const NOT_CHANGED: Answer = { status: 304, body: "", contentType: "application/json; charset=utf-8" };

export async function answerAccessKeys(ingest: Ingest, request: IncomingMessage): Promise<Answer> {
  const node = await authenticatedNode(ingest, request);
  ingest.heartbeats.record(nodeSighting(ingest, request, node.nodeId));
  admitWithin(ingest.accessKeysOfNode, node, "The coordinator requests access keys too often.");
  requirePrivate(ingest, request, "Access keys contain secrets, so they are served");
  const known = /^"([0-9a-f]{64})"$/.exec(request.headers["if-none-match"] ?? "")?.[1] ?? null;
  const served = await serveAccessKeys(ingest.platform, node, known);
  return served === null ? NOT_CHANGED : json(200, served);
}
