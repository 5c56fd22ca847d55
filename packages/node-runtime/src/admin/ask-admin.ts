/** Client for a node's admin pages. */
import { randomBytes } from "node:crypto";
import { Agent, type IncomingMessage, type RequestOptions, request } from "node:http";
import { request as requestByTls } from "node:https";
import { connect, type NetConnectOpts, Socket } from "node:net";
import { readPublicKey } from "@stashlight/transport";
import type { VaultNode } from "../config/index.ts";
import type { AdminAccess } from "./access.ts";
import { isPageProof, NONCE_HEADER, PROOF_HEADER } from "./page-proof.ts";

export interface AskOptions {
  readonly access: AdminAccess;
  readonly timeoutMs?: number;
  /** Body to post as JSON. */
  readonly post?: object | undefined;
  /** Cancels the request, which then counts as unanswered. */
  readonly signal?: AbortSignal;
}

export type AdminAnswer =
  | { readonly type: "answered"; readonly status: number; readonly body: unknown }
  | { readonly type: "silent"; readonly reason: string };

export type AskedNode = Pick<VaultNode, "id" | "publicKey" | "host" | "adminPort" | "tls">;

export type AskAdmin = (node: AskedNode, path: string, options: AskOptions) => Promise<AdminAnswer>;

const TIMEOUT_MS = 3000;
const ANSWER_BYTES_MAX = 33_554_432;
const NONCE_BYTES = 32;

/**
 * Sends a request. Never rejects: a node that does not answer with JSON in time, or does not prove its identity, counts
 * as silent.
 */
export const askAdmin: AskAdmin = async (node, path, { access, timeoutMs = TIMEOUT_MS, signal, post }) => {
  const inTime = AbortSignal.timeout(timeoutMs);
  const given = signal === undefined ? inTime : AbortSignal.any([signal, inTime]);
  const agent = new OneConnectionAgent({ keepAlive: true, maxSockets: 1 });
  try {
    const response = await ask(node, path, access, { agent, signal: given, post });
    const status = response.statusCode ?? 0;
    const text = await readResponseText(response);
    // A page that refuses a request gives the reason as a line of text.
    const isText = response.headers["content-type"]?.startsWith("text/plain") === true;
    return { type: "answered", status, body: isText ? text.trim() : JSON.parse(text) };
  } catch (error) {
    const reason = inTime.aborted ? `no answer within ${timeoutMs / 1000} s` : errorReason(error as Error);
    return { type: "silent", reason };
  } finally {
    agent.destroy();
  }
};

async function ask(
  node: AskedNode,
  path: string,
  { token, ca }: AdminAccess,
  {
    agent,
    signal,
    post,
  }: { readonly agent: Agent; readonly signal: AbortSignal; readonly post: object | undefined },
): Promise<IncomingMessage> {
  const place = { host: node.host, port: node.adminPort, signal };
  const text = post === undefined ? undefined : JSON.stringify(post);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(text !== undefined && {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    }),
  };
  const method = text === undefined ? "GET" : "POST";
  if (node.tls !== undefined && ca !== null) {
    // The authority signs certificates for node names, not for hosts.
    const tls = { ca, servername: node.id, minVersion: "TLSv1.3" } as const;
    return await new Promise((resolve, reject) => {
      const asked = requestByTls({ ...place, ...tls, path, method, headers, agent: false }, resolve);
      asked.once("error", reject).end(text);
    });
  }
  await prove(node, (options) => answered({ ...place, ...options, agent }));
  return await answered({ ...place, path, method, headers, agent }, text);
}

/** Throws if the program behind the node's port does not have the node's key. */
async function prove(
  { id, publicKey }: AskedNode,
  answer: (options: RequestOptions) => Promise<IncomingMessage>,
): Promise<void> {
  if (publicKey === undefined) throw new Error("the vault's file has no public key for it");
  const nonce = randomBytes(NONCE_BYTES).toString("hex");
  const response = await answer({ path: "/healthz", headers: { [NONCE_HEADER]: nonce } });
  const isProved = isPageProof(readPublicKey(publicKey), id, nonce, response.headers[PROOF_HEADER]);
  if (!isProved) throw new Error("another program answers on its port");
  await readResponseText(response);
}

function answered(options: RequestOptions, text?: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(options, resolve).once("error", reject).end(text);
  });
}

/** A proof is valid only for the connection on which it was given. */
class OneConnectionAgent extends Agent {
  #isConnected = false;

  override createConnection(options: NetConnectOpts, refuse?: (error: Error, none: Socket) => void) {
    if (this.#isConnected) {
      const error = new Error("it closed the connection after its proof");
      queueMicrotask(() => refuse?.(error, new Socket()));
      return undefined;
    }
    this.#isConnected = true;
    return connect(options);
  }
}

async function readResponseText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`the answer has more than ${ANSWER_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function errorReason(error: NodeJS.ErrnoException): string {
  return error.code ?? error.message;
}
