/** GetObject and HeadObject. */
import type { ObjectInfo } from "../store.ts";
import { checksumHeaders, objectHeaders, overrideHeaders } from "./attributes.ts";
import { emptyReply, type ObjectCall, type S3Reply, timingHeaders } from "./call.ts";
import { checkReadConditions, isRangeCurrent } from "./conditions.ts";
import { type ByteRange, resolveRange } from "./range.ts";

export async function getObject(call: ObjectCall): Promise<S3Reply> {
  const { store, context, bucket, key } = call;
  const reader = await store.getObject(context, { bucket, key });
  const answer = describe(call, reader.info);
  const headers = { ...answer.headers, ...timingHeaders(reader.timings) };
  if (answer.range === null || reader.info.sizeBytes === 0) return emptyReply(answer.status, headers);
  return { status: answer.status, headers, body: { kind: "stream", chunks: reader.read(answer.range) } };
}

export async function headObject(call: ObjectCall): Promise<S3Reply> {
  const { store, context, bucket, key } = call;
  const { status, headers } = describe(call, await store.headObject(context, { bucket, key }));
  return emptyReply(status, headers);
}

interface Description {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** What to send; null for an answer without content. */
  readonly range: ByteRange | null;
}

function describe({ headers: asked, query }: ObjectCall, info: ObjectInfo): Description {
  const headers = { ...objectHeaders(info), ...overrideHeaders(query) };
  if (checkReadConditions(asked, info) === "not modified") {
    for (const name of Object.keys(headers)) if (name.startsWith("content-")) delete headers[name];
    return { status: 304, headers, range: null };
  }
  const range = isRangeCurrent(asked, info) ? resolveRange(asked.get("range"), info.sizeBytes) : null;
  const { start, end } = range ?? { start: 0, end: info.sizeBytes };
  headers["content-length"] = String(end - start);
  if (range) headers["content-range"] = `bytes ${start}-${end - 1}/${info.sizeBytes}`;
  // A part of an object does not have the checksum of the whole.
  if (!range && asked.get("x-amz-checksum-mode")?.toUpperCase() === "ENABLED") {
    Object.assign(headers, checksumHeaders(info.checksum));
  }
  return { status: range ? 206 : 200, headers, range: { start, end } };
}
