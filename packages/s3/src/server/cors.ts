/**
 * Requests from pages of other origins: preflights, and the headers that allow a browser to show an answer to its page.
 */
import type { IncomingMessage } from "node:http";
import { S3Error } from "../errors.ts";
import { emptyReply, type S3Reply } from "../operations/call.ts";
import { allowByCorsRules } from "../operations/configuration/cors-rules.ts";
import { parseTarget } from "../request/target.ts";
import type { EdgeConfig } from "./options.ts";

/**
 * Answers a preflight, which a browser sends unsigned. Buckets without rules and missing buckets get the same answer. A
 * preflight passes admission as reads do, since anyone can send it.
 */
export async function answerPreflight(
  edge: EdgeConfig,
  { headers, url = "", method }: IncomingMessage,
  requestId: string,
): Promise<S3Reply> {
  const { bucket } = parseTarget(url, headers.host, edge);
  const { origin } = headers;
  const asked = headers["access-control-request-method"];
  if (origin === undefined || asked === undefined || bucket === null) {
    throw new S3Error(
      "BadRequest",
      `${method} needs the headers Origin and Access-Control-Request-Method, and a bucket.`,
    );
  }
  const operation = "GetBucketConfiguration";
  const leave = await edge.admit({ requestId, operation, accessKeyId: "", bucket, key: "", bodyBytes: 0 });
  try {
    const wished = (headers["access-control-request-headers"] ?? "").split(",").map((name) => name.trim());
    const request = { origin, method: asked, headers: wished.filter((name) => name !== "") };
    const allowed = allowByCorsRules(await edge.cors.find(bucket, requestId), request);
    if (allowed === null) throw new S3Error("AccessForbidden");
    return emptyReply(200, allowed);
  } finally {
    leave();
  }
}

/** Returns the headers for a reply to a page of another origin. Rules are read only for signed requests. */
export async function crossOriginHeaders(
  edge: EdgeConfig,
  { headers, url = "", method = "" }: IncomingMessage,
  { requestId, isSigned }: { readonly requestId: string; readonly isSigned: boolean },
): Promise<Record<string, string>> {
  const { origin } = headers;
  if (origin === undefined || method === "OPTIONS") return {};
  try {
    const { bucket } = parseTarget(url, headers.host, edge);
    if (bucket === null) return {};
    const rules = isSigned ? await edge.cors.find(bucket, requestId) : (edge.cors.peek(bucket) ?? []);
    return allowByCorsRules(rules, { origin, method, headers: [] }) ?? {};
  } catch {
    // Fails safe: without the headers, the browser withholds the answer from the page.
    return {};
  }
}
