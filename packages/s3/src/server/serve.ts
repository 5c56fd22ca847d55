/** Serves one request from its first byte to its last, and reports it to the observer even if it failed. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { toS3Error } from "../errors.ts";
import type { S3Reply } from "../operations/call.ts";
import { announcedBytes } from "./announced-bytes.ts";
import { answer } from "./answer-request.ts";
import { answerPreflight, crossOriginHeaders } from "./cors.ts";
import type { Story } from "./exchange.ts";
import type { EdgeConfig, ObservedRequest } from "./options.ts";
import { type Channel, errorReply, send } from "./send.ts";

export async function serve(
  edge: EdgeConfig,
  incoming: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
): Promise<void> {
  const startedMs = performance.now();
  const requestId = edge.newRequestId();
  const story: Story = { accessKeyId: null, route: null, error: null, authenticationMs: 0, hashMs: 0 };
  const end = watchEnd(response);
  const exchange: Served = { incoming, response, requestId, story, end, isContinuePending: expectsContinue };
  // Without a listener, an error of a broken connection would end the process.
  incoming.on("error", () => undefined);
  response.on("error", () => undefined);
  response.setHeader("x-amz-request-id", requestId);
  response.setHeader("server", "Stashlight");
  const plain = await replyTo(edge, exchange);
  const reply = incoming.headers.origin === undefined ? plain : await addCrossOrigin(edge, exchange, plain);
  const isCut = await deliver(edge, exchange, reply);
  edge.observe({
    requestId,
    method: incoming.method ?? "",
    operation: story.route?.name ?? null,
    bucket: story.route === null || story.route.level === "service" ? null : story.route.bucket,
    accessKeyId: story.accessKeyId,
    status: observedStatus(reply, story),
    error: story.error,
    path: pathOf(reply),
    timings: timingsOf(reply),
    durationMs: performance.now() - startedMs,
    authenticationMs: story.authenticationMs,
    hashMs: story.hashMs,
    receivedBytes: announcedBytes(incoming),
    sentBytes: incoming.method === "HEAD" ? 0 : Number(response.getHeader("content-length") ?? 0),
    isCut,
  });
}

interface Served {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly story: Story;
  readonly end: End;
  /** The client waits for "100 Continue" before it sends its body. */
  isContinuePending: boolean;
}

async function replyTo(edge: EdgeConfig, served: Served): Promise<S3Reply> {
  const { incoming, response, requestId, story, end } = served;
  const onBodyStart = () => {
    if (served.isContinuePending) response.writeContinue();
    served.isContinuePending = false;
  };
  try {
    if (incoming.method === "OPTIONS") return await answerPreflight(edge, incoming, requestId);
    const reply = await answer(edge, { incoming, requestId, signal: end.signal, story, onBodyStart });
    const { body } = reply;
    if (body.kind !== "late") return reply;
    const text = body.text.catch((thrown: unknown) => {
      const { body: failed } = replyToFailure(edge, served, thrown);
      return failed.kind === "text" ? failed.text : "";
    });
    return { ...reply, body: { kind: "late", text } };
  } catch (thrown) {
    return replyToFailure(edge, served, thrown);
  }
}

async function addCrossOrigin(
  edge: EdgeConfig,
  { incoming, requestId, story }: Served,
  reply: S3Reply,
): Promise<S3Reply> {
  const isSigned = story.accessKeyId !== null;
  const added = await crossOriginHeaders(edge, incoming, { requestId, isSigned });
  return { ...reply, headers: { ...reply.headers, ...added } };
}

function replyToFailure(
  { region }: EdgeConfig,
  { incoming, requestId, story }: Served,
  thrown: unknown,
): S3Reply {
  const error = toS3Error(thrown);
  story.error ??= error;
  return errorReply(error, { method: incoming.method, url: incoming.url, requestId, region });
}

interface End {
  readonly response: Promise<"answered" | "cut">;
  /** Aborted when the client is gone. Created on first use, because it is expensive and most stores never use it. */
  readonly signal: () => AbortSignal;
}

function watchEnd(response: ServerResponse): End {
  let gone: AbortController | null = null;
  // An explicit reason avoids creating an exception for every request that ends normally.
  const abort = () => gone?.abort("The exchange with the client is over.");
  const signal = () => {
    gone ??= new AbortController();
    if (response.closed) abort();
    return gone.signal;
  };
  const ended = new Promise<"answered" | "cut">((resolve) => {
    response.once("close", () => {
      abort();
      resolve(response.writableFinished ? "answered" : "cut");
    });
  });
  return { response: ended, signal };
}

/** Returns true if the connection broke before the client had the whole answer. */
async function deliver(edge: EdgeConfig, served: Served, reply: S3Reply): Promise<boolean> {
  const { incoming, response, story, end, isContinuePending } = served;
  const { limits } = edge;
  const channel: Channel = { incoming, response, limits, isContinuePending };
  try {
    await send(channel, reply, story.error?.closesConnection ?? false);
    if ((await end.response) === "answered") return false;
    story.error ??= toS3Error(new Error("The connection was closed before all of the answer was sent."));
    return true;
  } catch (thrown) {
    // The status has been sent, so only a broken connection can signal that the answer is incomplete.
    story.error ??= toS3Error(thrown);
    response.destroy();
    return true;
  }
}

/** A late answer is sent with status 200 and may still be an error, whose status is then observed. */
function observedStatus({ status, body }: S3Reply, { error }: Story): number {
  return body.kind === "late" && error !== null ? error.status : status;
}

function pathOf({ headers }: S3Reply): ObservedRequest["path"] {
  const path = headers["x-stashlight-path"];
  return path === "stash" || path === "direct" ? path : null;
}

function timingsOf({ headers }: S3Reply): ObservedRequest["timings"] {
  const steps = headers["server-timing"]?.split(", ") ?? [];
  return new Map(
    steps.map((step) => {
      const [name = "", duration = "0"] = step.split(";dur=");
      return [name, Number(duration)] as const;
    }),
  );
}
