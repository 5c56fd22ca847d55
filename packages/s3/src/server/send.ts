/** Sends replies, and closes connections without cutting off data that the client has yet to read. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { S3Error } from "../errors.ts";
import type { S3Limits } from "../limits.ts";
import type { S3Reply } from "../operations/call.ts";
import type { BodyChunks } from "../store.ts";
import { element, XML_DECLARATION, xmlDocument } from "../xml/write.ts";

export interface Channel {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly limits: S3Limits;
  /** A client that requested "100 Continue" and did not get it may still send its body. */
  readonly isContinuePending: boolean;
}

/** Bytes to write before waiting for the socket: one large system call costs less than many small ones. */
const AHEAD_BYTES = 262_144;

/** An unread body up to this size is read to its end, so that the connection can be reused. */
const LEFTOVER_BYTES_MAX = 65_536;

export async function send(channel: Channel, reply: S3Reply, mustClose: boolean): Promise<void> {
  const { incoming, response } = channel;
  const closes = mustClose || !canReadOn(channel);
  response.statusCode = reply.status;
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
  if (reply.body.kind === "text") {
    response.setHeader("content-length", Buffer.byteLength(reply.body.text));
  } else if (
    reply.body.kind === "none" &&
    incoming.method !== "HEAD" &&
    reply.status !== 204 &&
    reply.status !== 304
  ) {
    response.setHeader("content-length", 0);
  }
  if (closes) response.setHeader("connection", "close");
  if (reply.body.kind === "stream") {
    await sendStream(channel, reply.body.chunks);
  } else if (reply.body.kind === "late") {
    await sendLate(channel, reply.body.text);
  } else if (reply.body.kind === "text" && incoming.method !== "HEAD") {
    response.write(reply.body.text);
  }
  if (closes && !incoming.complete && !response.destroyed) {
    if (!response.headersSent) response.flushHeaders();
    await linger(channel);
  }
  // Also sends the headers if no body was written.
  response.end();
  if (!closes && !incoming.readableEnded) incoming.resume();
}

/** XML allows blanks between the declaration and the root. */
async function sendLate({ response, limits }: Channel, text: Promise<string>): Promise<void> {
  response.write(XML_DECLARATION);
  const blanks = setInterval(() => response.write(" "), limits.blankEveryMs);
  try {
    response.write((await text).slice(XML_DECLARATION.length));
  } finally {
    clearInterval(blanks);
  }
}

/** Throws when the chunks fail or the client stalls, which leaves the answer incomplete. */
async function sendStream({ response, limits }: Channel, chunks: BodyChunks): Promise<void> {
  const { idleTimeoutMs } = limits;
  if (Symbol.iterator in chunks) {
    for (const chunk of chunks) {
      if (response.destroyed) return;
      if (isFarAhead(response, chunk)) await drained(response, idleTimeoutMs);
    }
  } else {
    for await (const chunk of chunks) {
      if (response.destroyed) return;
      if (isFarAhead(response, chunk)) await drained(response, idleTimeoutMs);
    }
  }
  if (response.writableNeedDrain) await drained(response, idleTimeoutMs);
}

/** Writes a chunk; returns true if the writer should wait for the client. */
function isFarAhead(response: ServerResponse, chunk: Uint8Array): boolean {
  return !response.write(chunk) && response.writableLength >= AHEAD_BYTES;
}

function drained(response: ServerResponse, idleTimeoutMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => reject(new S3Error("RequestTimeout", "The answer was not read.")),
    idleTimeoutMs,
  );
  response.on("drain", resolve).on("close", resolve);
  return promise.finally(() => {
    clearTimeout(timer);
    response.off("drain", resolve).off("close", resolve);
  });
}

function canReadOn({ incoming, isContinuePending }: Channel): boolean {
  if (incoming.complete) return true;
  const { "content-length": length, "transfer-encoding": coding } = incoming.headers;
  if (length === undefined && coding === undefined) return true;
  return !isContinuePending && coding === undefined && Number(length) <= LEFTOVER_BYTES_MAX;
}

/**
 * Closing a socket with unread input resets it, and a reset can overtake the answer. So the rest of the body is read
 * and dropped for a short time first.
 */
async function linger({ incoming, limits }: Channel): Promise<void> {
  let droppedBytes = 0;
  const done = Promise.withResolvers<void>();
  const timer = setTimeout(done.resolve, limits.lingerMs);
  incoming.on("data", (piece: Buffer) => {
    droppedBytes += piece.length;
    if (droppedBytes > limits.lingerBytesMax) done.resolve();
  });
  incoming.once("end", done.resolve);
  incoming.once("close", done.resolve);
  incoming.resume();
  await done.promise;
  clearTimeout(timer);
}

interface FailedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly requestId: string;
  readonly region: string;
}

export function errorReply(error: S3Error, { method, url, requestId, region }: FailedRequest): S3Reply {
  const headers: Record<string, string> = { ...error.headers, "content-type": "application/xml" };
  if (method === "HEAD") {
    // Clients find out the region of a bucket by a HEAD, even one that fails.
    if (error.code !== "NoSuchBucket") headers["x-amz-bucket-region"] = region;
    return { status: error.status, headers, body: { kind: "none" } };
  }
  const resource = (url ?? "").split("?", 1)[0] as string;
  return {
    status: error.status,
    headers,
    body: { kind: "text", text: errorDocument(error, resource, requestId) },
  };
}

export function errorDocument(error: S3Error, resource: string, requestId: string): string {
  return xmlDocument(
    "Error",
    element("Code", error.code),
    element("Message", error.message),
    ...Object.entries(error.details).map(([name, value]) => element(name, value)),
    element("Resource", resource),
    element("RequestId", requestId),
  );
}
