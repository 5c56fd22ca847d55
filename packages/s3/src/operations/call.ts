/** Input and answer of an operation. */
import type { RequestBody } from "../body/receive.ts";
import type { S3Error } from "../errors.ts";
import type { LifecycleRule } from "../lifecycle/rules.ts";
import type { S3Limits } from "../limits.ts";
import type { RequestHeaders } from "../request/headers.ts";
import type { Query } from "../request/query.ts";
import type { SettingCache } from "../setting-cache.ts";
import type { BodyChunks, ObjectName, ObjectStore, StoreContext, Timing, WriteResult } from "../store.ts";

/** An authenticated and authorised request, with everything needed to answer it. */
export interface ServiceCall {
  readonly store: ObjectStore;
  readonly context: StoreContext;
  readonly region: string;
  readonly limits: S3Limits;
  readonly query: Query;
  readonly headers: RequestHeaders;
  readonly body: RequestBody;
  readonly lifecycle: SettingCache<readonly LifecycleRule[]>;
  /** The full address of an object, encoded, as this client reaches it. */
  readonly writeAddress: (name: ObjectName) => string;
  /** Reports an error inside a successful answer, such as those of DeleteObjects. */
  readonly reportError: (error: S3Error) => void;
}

export interface BucketCall extends ServiceCall {
  readonly bucket: string;
}

export interface ObjectCall extends BucketCall {
  readonly key: string;
}

export interface S3Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReplyBody;
}

export type ReplyBody =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  /** A slow document. Blanks are sent until it is ready; if it fails, an error document is sent in its place. */
  | { readonly kind: "late"; readonly text: Promise<string> }
  | { readonly kind: "stream"; readonly chunks: BodyChunks };

export function emptyReply(status: number, headers: Readonly<Record<string, string>> = {}): S3Reply {
  return { status, headers, body: { kind: "none" } };
}

export function xmlReply(text: string, headers: Readonly<Record<string, string>> = {}): S3Reply {
  return {
    status: 200,
    headers: { ...headers, "content-type": "application/xml" },
    body: { kind: "text", text },
  };
}

/** Headers that report the path of an upload and the duration of its steps. */
export function writeHeaders({
  path,
  timings,
}: Pick<WriteResult, "path" | "timings">): Record<string, string> {
  const headers = timingHeaders(timings);
  if (path !== null) headers["x-stashlight-path"] = path;
  return headers;
}

export function timingHeaders(timings: readonly Timing[] | undefined): Record<string, string> {
  if (timings === undefined || timings.length === 0) return {};
  const parts = timings.map(({ name, durationMs }) => `${name};dur=${durationMs.toFixed(3)}`);
  return { "server-timing": parts.join(", ") };
}

export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

export function httpTime(timeMs: number): string {
  return new Date(timeMs).toUTCString();
}

export function quoteEtag(etag: string): string {
  return `"${etag}"`;
}

export function unquoteEtag(text: string): string {
  return text.trim().replace(/^"(.*)"$/, "$1");
}
