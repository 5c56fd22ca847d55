/** From a request's head to its reply: target, authentication, routing, authorisation, operation. */
import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { createRequestBody } from "../body/receive.ts";
import { S3Error } from "../errors.ts";
import { authorize, checkExpectedOwner } from "../operations/authorize.ts";
import type { S3Reply, ServiceCall } from "../operations/call.ts";
import { bucketOperations, objectOperations, serviceOperations } from "../operations/registry.ts";
import { type Route, route } from "../operations/route.ts";
import { createRequestHeaders } from "../request/headers.ts";
import { bucketOfHost } from "../request/host.ts";
import { bytesOfUtf8, percentEncodePath } from "../request/percent.ts";
import { parseTarget, type RequestTarget } from "../request/target.ts";
import { mayUse } from "../signature/access-key.ts";
import { type Authenticated, authenticate } from "../signature/authenticate.ts";
import type { ObjectName, StoreContext } from "../store.ts";
import { announcedBytes } from "./announced-bytes.ts";
import type { EdgeConfig } from "./options.ts";

/** What becomes known of a request while it is answered. */
export interface Story {
  accessKeyId: string | null;
  route: Route | null;
  error: S3Error | null;
  authenticationMs: number;
  hashMs: number;
}

export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly requestId: string;
  readonly signal: () => AbortSignal;
  /** Called before the body is read. */
  readonly onBodyStart: () => void;
  /** Filled in as things become known, so that failed requests are counted under their names too. */
  readonly story: Story;
}

export async function answer(edge: EdgeConfig, exchange: Exchange): Promise<S3Reply> {
  const { incoming, requestId, story } = exchange;
  const method = incoming.method ?? "";
  const rawHeaders = createRequestHeaders(incoming.rawHeaders);
  const target = parseTarget(incoming.url ?? "", rawHeaders.get("host"), edge);
  const startedMs = performance.now();
  const authenticated = await authenticate(
    { method, target, headers: rawHeaders },
    { ...edge, nowMs: edge.nowMs() },
  );
  const { principal, headers } = authenticated;
  story.authenticationMs = performance.now() - startedMs;
  story.accessKeyId = principal.accessKey.id;
  const { owner } = principal.accessKey;
  const found = route({ method, target, headers, owner });
  story.route = found;
  const entry = entryOf(found);
  if (!mayUse(principal.accessKey, entry.wish, found.level === "service" ? null : found.bucket)) {
    throw new S3Error("AccessDenied");
  }
  const leave = await edge.admit({
    requestId,
    operation: found.name,
    accessKeyId: principal.accessKey.id,
    bucket: found.level === "service" ? "" : found.bucket,
    key: found.level === "object" ? found.key : "",
    bodyBytes: announcedBytes(incoming),
  });
  edge.underway.count += 1;
  const end = () => {
    edge.underway.count -= 1;
    leave();
  };
  let isLate = false;
  try {
    const call = callOf(edge, exchange, authenticated, target);
    // Looking up owners may read from the vault, so only admitted requests do it.
    await edge.hosts.check(
      call.context,
      rawHeaders.get("host"),
      found.level === "bucket" ? found.bucket : null,
    );
    await authorizeRoute(call, found, entry.wish);
    const reply = await entry.run(call);
    if (reply.body.kind === "late") {
      isLate = true;
      reply.body.text.then(end, end);
    }
    return reply;
  } finally {
    if (!isLate) end();
  }
}

function callOf(
  edge: EdgeConfig,
  { incoming, requestId, signal, story, onBodyStart }: Exchange,
  authenticated: Authenticated,
  target: RequestTarget,
): ServiceCall {
  const { principal, headers } = authenticated;
  const context: StoreContext = {
    requestId,
    principal,
    get signal() {
      return signal();
    },
  };
  return {
    store: edge.store,
    context,
    region: edge.region,
    limits: edge.limits,
    query: target.query,
    headers,
    writeAddress: (name) => writeAddress(edge, incoming, name),
    body: createRequestBody({
      stream: incoming,
      headers,
      authenticated,
      limits: edge.limits,
      isBusy: () => edge.underway.count > 1,
      onStart: onBodyStart,
      onHashed: (durationMs) => {
        story.hashMs += durationMs;
      },
    }),
    reportError: (error) => {
      story.error ??= error;
    },
  };
}

function writeAddress(edge: EdgeConfig, { headers, socket }: IncomingMessage, name: ObjectName): string {
  const { host = "" } = headers;
  const scheme = (socket as Partial<TLSSocket>).encrypted === true ? "https" : "http";
  const path = bucketOfHost(host, edge) === null ? `${name.bucket}/${name.key}` : name.key;
  return `${scheme}://${host}/${percentEncodePath(bytesOfUtf8(path))}`;
}

/** A bucket that is being created has no owner yet, and a service listing shows only the caller's buckets. */
async function authorizeRoute(
  call: Pick<ServiceCall, "store" | "context" | "headers">,
  found: Route,
  verb: "read" | "write",
): Promise<void> {
  // Every bucket that the key may use has the key's owner.
  checkExpectedOwner(call, call.headers.get("x-amz-expected-bucket-owner"));
  if (found.level === "service" || found.name === "CreateBucket") return;
  await authorize(call, { verb, bucket: found.bucket });
}

interface BoundEntry {
  readonly wish: "read" | "write";
  readonly run: (call: ServiceCall) => Promise<S3Reply>;
}

/** The operation with the names it works on put into its call. */
function entryOf(found: Route): BoundEntry {
  if (found.level === "service") return serviceOperations[found.name];
  if (found.level === "bucket") {
    const { bucket } = found;
    const { wish, run } = bucketOperations[found.name];
    return { wish, run: (call) => run({ ...call, bucket }) };
  }
  const { bucket, key } = found;
  const { wish, run } = objectOperations[found.name];
  return { wish, run: (call) => run({ ...call, bucket, key }) };
}
