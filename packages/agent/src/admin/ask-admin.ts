/** Questions to the admin port of a node. */
import { get, type IncomingMessage } from "node:http";
import type { VaultNode } from "../config/index.ts";

export interface AskOptions {
  readonly timeoutMs?: number;
  /** Gives the question up, which then counts as not answered. */
  readonly signal?: AbortSignal;
}

export type AdminAnswer =
  | { readonly type: "answered"; readonly status: number; readonly body: unknown }
  | { readonly type: "silent"; readonly reason: string };

export type AskAdmin = (
  node: Pick<VaultNode, "host" | "adminPort">,
  path: string,
  options?: AskOptions,
) => Promise<AdminAnswer>;

const TIMEOUT_MS = 3000;
const ANSWER_BYTES_MAX = 33_554_432;

/** Never rejects: a node that gives no JSON in time is silent. */
export const askAdmin: AskAdmin = async (
  { host, adminPort },
  path,
  { timeoutMs = TIMEOUT_MS, signal } = {},
) => {
  const inTime = AbortSignal.timeout(timeoutMs);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const given = signal === undefined ? inTime : AbortSignal.any([signal, inTime]);
      get({ host, port: adminPort, path, signal: given, agent: false }, resolve).once("error", reject);
    });
    return { type: "answered", status: response.statusCode ?? 0, body: JSON.parse(await textOf(response)) };
  } catch (error) {
    const reason = inTime.aborted ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error as Error);
    return { type: "silent", reason };
  }
};

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`the answer has more than ${ANSWER_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function reasonOf(error: NodeJS.ErrnoException): string {
  return error.code ?? error.message;
}
