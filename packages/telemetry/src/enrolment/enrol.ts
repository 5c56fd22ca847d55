/**
 * Enrols a machine as a node, and asks whether the node was approved:
 *
 *     POST /v1/enrol  {"token", "name", "role", "agentVersion"}
 *         200 {"nodeId", "name", "vault", "status", "key"}    the key is sent only once
 *     GET /v1/node    Authorization: Bearer KEY
 *         200 {"status": "pending" | "active", ...}           403: revoked
 *
 * For both, 429 and 503 mean retry later, any other 4xx {"message": why} means do not retry, and anything else counts
 * as unreachable.
 */
import type { NodeRole, NodeStatus } from "@stashlight/contracts/node";
import { SENT_HEADER } from "../delivery/http-post.ts";
import {
  type Answer,
  readMember,
  refusalMessage,
  retryAfterMs,
  sendRequest,
} from "../http/ingest-request.ts";

export const AGENT_VERSION_HEADER = "x-stashlight-agent-version";

export interface IngestAddress {
  /** Origin of the ingest, without a path. */
  readonly origin: string;
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string;
  readonly timeoutMs: number;
}

export interface EnrolmentIdentity {
  readonly name: string;
  readonly role: NodeRole;
  readonly agentVersion: string;
}

export interface EnrolledIdentity {
  readonly nodeId: string;
  readonly name: string;
  readonly vault: string;
  readonly key: string;
}

export type NotYet =
  | { readonly type: "again"; readonly afterMs: number; readonly reason: string }
  | { readonly type: "refused"; readonly reason: string };

export type EnrolResult =
  | { readonly type: "enrolled"; readonly status: NodeStatus; readonly identity: EnrolledIdentity }
  | NotYet;

export type NodeAnswer = { readonly type: "known"; readonly status: NodeStatus } | NotYet;

const UNREACHABLE_MS = 10_000;

/** Never rejects. A repeated call with the same token and name, before the node has reported, returns another key. */
export async function enrol(
  ingest: IngestAddress,
  token: string,
  identity: EnrolmentIdentity,
): Promise<EnrolResult> {
  const body = new TextEncoder().encode(JSON.stringify({ token, ...identity }));
  return askIngest(ingest, "POST", "/v1/enrol", { "content-type": "application/json" }, body, (text) => {
    const [nodeId, name, vault, status, key] = ["nodeId", "name", "vault", "status", "key"].map((member) =>
      readMember(text, member),
    );
    if (!isText(nodeId) || !isText(name) || !isText(vault) || !isText(key) || !isStatus(status)) return null;
    return { type: "enrolled", status, identity: { nodeId, name, vault, key } };
  });
}

/** Never rejects. The ingest records the node's version and that it is alive. */
export async function askNode(
  ingest: IngestAddress,
  key: string,
  agentVersion: string,
  nowMs: number,
): Promise<NodeAnswer> {
  const headers = {
    authorization: `Bearer ${key}`,
    [AGENT_VERSION_HEADER]: agentVersion,
    [SENT_HEADER]: String(nowMs),
  };
  return askIngest(ingest, "GET", "/v1/node", headers, undefined, (text) => {
    const status = readMember(text, "status");
    return isStatus(status) ? { type: "known", status } : null;
  });
}

async function askIngest<Result>(
  { origin, ca, timeoutMs }: IngestAddress,
  method: "GET" | "POST",
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array | undefined,
  read: (text: string) => Result | null,
): Promise<Result | NotYet> {
  try {
    const question = { method, url: new URL(path, origin), headers, ca, timeoutMs };
    return readResult(await sendRequest(body === undefined ? question : { ...question, body }), read);
  } catch (error) {
    return again(`${origin} cannot be reached: ${(error as Error).message}.`);
  }
}

function readResult<Result>(answer: Answer, read: (text: string) => Result | null): Result | NotYet {
  const { status, retryAfter, text } = answer;
  if (status === 200) return read(text) ?? again("A server that is not an ingest answered 200.");
  if (status === 429 || status === 503) return again(refusalMessage(answer), retryAfterMs(retryAfter));
  if (status >= 400 && status < 500) return { type: "refused", reason: refusalMessage(answer) };
  return again(`The ingest answered ${status}.`);
}

const again = (reason: string, afterMs = UNREACHABLE_MS): NotYet => ({ type: "again", afterMs, reason });
const isText = (value: unknown): value is string => typeof value === "string" && value.length > 0;
const isStatus = (value: unknown): value is NodeStatus => value === "pending" || value === "active";
