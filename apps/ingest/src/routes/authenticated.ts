import type { IncomingMessage } from "node:http";
import { StashlightError } from "@stashlight/contracts/errors";
import { type AuthenticatedNode, agentVersionSchema } from "@stashlight/contracts/node";
import type { NodeSighting } from "@stashlight/services/node/reporting";
import { AGENT_VERSION_HEADER, SENT_HEADER } from "@stashlight/telemetry";
import { refusal } from "../http/answer.ts";
import { type Ingest, requestAddress } from "../ingest.ts";

const bearer = /^Bearer +([!-~]+) *$/i;

/** Authenticates the node by its key. A client that has sent wrong keys is asked to wait before the next lookup. */
export async function authenticatedNode(
  ingest: Ingest,
  request: IncomingMessage,
): Promise<AuthenticatedNode> {
  const key = bearer.exec(request.headers.authorization ?? "")?.[1];
  if (key === undefined) {
    throw refusal(401, "Send the node's key: Authorization: Bearer KEY.");
  }
  const address = requestAddress(ingest, request);
  if (ingest.wrongKeysOfAddress.isEmpty(address)) {
    throw refusal(429, "Too many wrong keys came from this address.", { retryAfterSeconds: 1 });
  }
  try {
    return await ingest.authenticator.authenticate(key);
  } catch (error) {
    if (error instanceof StashlightError && error.status < 500) ingest.wrongKeysOfAddress.take(address);
    throw error;
  }
}

/** Describes the node as seen at this moment, with the state that its headers report. */
export function nodeSighting(ingest: Ingest, request: IncomingMessage, nodeId: string): NodeSighting {
  const seenAt = ingest.platform.now();
  const sentMs = Number(request.headers[SENT_HEADER] ?? Number.NaN);
  const agentVersion = parseAgentVersion(request.headers[AGENT_VERSION_HEADER]);
  return {
    nodeId,
    seenAt,
    ...(Number.isFinite(sentMs) ? { skewMs: sentMs - seenAt.getTime() } : {}),
    ...(agentVersion === undefined ? {} : { agentVersion }),
  };
}

/** Returns the reported version if it is plausible. Most requests report none. */
export function parseAgentVersion(told: unknown): string | undefined {
  return told === undefined ? undefined : agentVersionSchema.safeParse(told).data;
}
