/** One request from its first byte to its last, whatever happens. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import { type S3Error, toS3Error } from "../errors.ts";
import type { S3Reply } from "../operations/call.ts";
import type { Route } from "../operations/route.ts";
import { answer } from "./answer.ts";
import type { EdgeConfig, ObservedRequest } from "./options.ts";
import { type Channel, errorReply, send } from "./send.ts";

/** What becomes known of a request while it is answered. */
interface Story {
  accessKeyId: string | null;
  route: Route | null;
  error: S3Error | null;
  isContinuePending: boolean;
}

export async function serve(
  edge: EdgeConfig,
  incoming: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
): Promise<void> {
  const startedMs = performance.now();
  const requestId = edge.newRequestId();
  const story: Story = { accessKeyId: null, route: null, error: null, isContinuePending: expectsContinue };
  // Without a listener the error of a connection that broke would end the process.
  incoming.on("error", () => undefined);
  response.on("error", () => undefined);
  response.setHeader("x-amz-request-id", requestId);
  response.setHeader("server", "Stashlight");
  const reply = await replyTo(edge, { incoming, response, requestId, story });
  const isCut = await deliver(edge, { incoming, response, story, reply });
  edge.observe({
    requestId,
    method: incoming.method ?? "",
    operation: story.route?.name ?? null,
    bucket: story.route === null || story.route.level === "service" ? null : story.route.bucket,
    accessKeyId: story.accessKeyId,
    status: reply.status,
    error: story.error,
    path: pathOf(reply),
    durationMs: performance.now() - startedMs,
    isCut,
  });
}

async function replyTo(
  edge: EdgeConfig,
  {
    incoming,
    response,
    requestId,
    story,
  }: { incoming: IncomingMessage; response: ServerResponse; requestId: string; story: Story },
): Promise<S3Reply> {
  const gone = new AbortController();
  // With a reason of its own no exception is made for every request that simply ended.
  response.once("close", () => gone.abort("The exchange with the client is over."));
  const reportError = (error: S3Error) => {
    story.error ??= error;
  };
  try {
    return await answer(edge, {
      incoming,
      requestId,
      signal: gone.signal,
      onBodyStart: () => {
        if (story.isContinuePending) response.writeContinue();
        story.isContinuePending = false;
      },
      reportError,
      learn: (known) => Object.assign(story, known),
    });
  } catch (thrown) {
    const error = toS3Error(thrown);
    reportError(error);
    return errorReply(error, { method: incoming.method, url: incoming.url, requestId });
  }
}

/** Whether the client lost the connection before it had the whole answer. */
async function deliver(
  edge: EdgeConfig,
  {
    incoming,
    response,
    story,
    reply,
  }: { incoming: IncomingMessage; response: ServerResponse; story: Story; reply: S3Reply },
): Promise<boolean> {
  const { limits } = edge;
  const channel: Channel = { incoming, response, limits, isContinuePending: story.isContinuePending };
  try {
    await send(channel, reply, story.error?.closesConnection ?? false);
    await finished(response);
    return false;
  } catch (thrown) {
    // The status is out already; a connection that breaks off is the only way left to say that this is not all.
    story.error ??= toS3Error(thrown);
    response.destroy();
    return true;
  }
}

function pathOf({ headers }: S3Reply): ObservedRequest["path"] {
  const path = headers["x-stashlight-path"];
  return path === "stash" || path === "direct" ? path : null;
}
