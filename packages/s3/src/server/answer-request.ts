/** Turns a request's head into its reply: target, authentication, routing, authorisation, operation. */
import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { createRequestBody } from "../body/receive.ts";
import { S3Error } from "../errors.ts";
import { authorize, checkExpectedOwner } from "../operations/authorize.ts";
import type { S3Reply, ServiceCall } from "../operations/call.ts";
import { bucketOperations, objectOperations, serviceOperations } from "../operations/registry.ts";
import { type Route, route } from "../operations/route.ts";
import { createRequestHeaders, type RequestHeaders } from "../request/headers.ts";
import { bucketOfHost } from "../request/host.ts";
import { bytesOfUtf8, percentEncodePath } from "../request/percent.ts";
import { parseTarget, type RequestTarget } from "../request/target.ts";
import { mayUse } from "../signature/access-key.ts";
import { authenticate } from "../signature/authenticate.ts";
import type { ObjectName, StoreContext } from "../store.ts";
import { announcedBytes } from "./announced-bytes.ts";
import type { Exchange, OpenedRequest } from "./exchange.ts";
import { isFormUpload, openFormRequest } from "./form-request.ts";
import type { EdgeConfig } from "./options.ts";

export async function answer(edge: EdgeConfig, exchange: Exchange): Promise<S3Reply> {
  const { incoming } = exchange;
  const headers = createRequestHeaders(incoming.rawHeaders);
  const target = parseTarget(incoming.url ?? "", headers.get("host"), edge);
  if (!isFormUpload(incoming.method ?? "", target, headers)) {
    return await carryOut(edge, exchange, target, await openSigned(edge, exchange, { target, headers }));
  }
  const opened = await openFormRequest(edge, exchange, { target, headers });
  try {
    return await carryOut(edge, exchange, target, opened);
  } finally {
    await opened.abandon?.();
  }
}

async function openSigned(
  edge: EdgeConfig,
  { incoming, story, onBodyStart }: Exchange,
  { target, headers: sent }: { readonly target: RequestTarget; readonly headers: RequestHeaders },
): Promise<OpenedRequest> {
  const method = incoming.method ?? "";
  const startedMs = performance.now();
  const authenticated = await authenticate(
    { method, target, headers: sent },
    { ...edge, nowMs: edge.nowMs() },
  );
  const { principal, headers } = authenticated;
  story.authenticationMs = performance.now() - startedMs;
  story.accessKeyId = principal.accessKey.id;
  const found = route({ method, target, headers, owner: principal.accessKey.owner });
  const source = { stream: incoming, headers, authenticated, limits: edge.limits, onStart: onBodyStart };
  return {
    principal,
    headers,
    found,
    createBody: (progress) => createRequestBody({ ...source, ...progress }),
  };
}

async function carryOut(
  edge: EdgeConfig,
  exchange: Exchange,
  target: RequestTarget,
  opened: OpenedRequest,
): Promise<S3Reply> {
  const { incoming, requestId, story } = exchange;
  const { principal, found } = opened;
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
    const call = callOf(edge, exchange, opened, target);
    // Looking up owners may read from the vault, so it is done for admitted requests only.
    await edge.hosts.check(
      call.context,
      incoming.headers.host,
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
  { incoming, requestId, signal, story }: Exchange,
  { principal, headers, createBody }: OpenedRequest,
  target: RequestTarget,
): ServiceCall {
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
    lifecycle: edge.lifecycle,
    query: target.query,
    headers,
    writeAddress: (name) => writeAddress(edge, incoming, name),
    body: createBody({
      isBusy: () => edge.underway.count > 1,
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

/** Binds the operation to the names it works on. */
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
