/** GetObject and HeadObject. */
import { S3Error } from "../errors.ts";
import type { LifecycleRule } from "../lifecycle/rules.ts";
import { getInteger } from "../request/query.ts";
import type { ObjectInfo, ObjectReader } from "../store.ts";
import { checksumHeaders, objectHeaders, overrideHeaders } from "./attributes.ts";
import { emptyReply, type ObjectCall, type S3Reply, timingHeaders } from "./call.ts";
import { checkReadConditions, isRangeCurrent } from "./conditions.ts";
import { encryptionHeaders, readKeyOnly } from "./encryption.ts";
import { expirationHeaders, lookUpRules, ruledObject } from "./lifecycle-headers.ts";
import { type ByteRange, resolvePart, resolveRange } from "./range.ts";

export async function getObject(call: ObjectCall): Promise<S3Reply> {
  const { store, context, bucket, key, headers: asked } = call;
  const partNumber = readPartNumber(call);
  const rules = lookUpRules(call);
  const reader = await store.getObject(context, { bucket, key, customerKey: readKeyOnly(asked) });
  const answer = describe(call, reader, { partNumber, rules: await rules });
  const headers = { ...answer.headers, ...timingHeaders(reader.timings) };
  if (answer.range === null || reader.info.sizeBytes === 0) return emptyReply(answer.status, headers);
  return { status: answer.status, headers, body: { kind: "stream", chunks: reader.read(answer.range) } };
}

export async function headObject(call: ObjectCall): Promise<S3Reply> {
  const { store, context, bucket, key, headers: asked } = call;
  const partNumber = readPartNumber(call);
  const rules = lookUpRules(call);
  const request = { bucket, key, customerKey: readKeyOnly(asked) };
  // Only a full read returns the parts; without a part number the object's header is enough.
  const found =
    partNumber === null
      ? { info: await store.headObject(context, request), partSizesBytes: null }
      : await store.getObject(context, request);
  const { status, headers } = describe(call, found, { partNumber, rules: await rules });
  return emptyReply(status, headers);
}

function readPartNumber({ query, headers, limits }: ObjectCall): number | null {
  if (!query.has("partNumber")) return null;
  if (headers.get("range") !== undefined) {
    throw new S3Error("InvalidRequest", "A request may have a Range header or a partNumber, but not both.");
  }
  const { partCountMax } = limits;
  // One above the largest part number stands for all larger numbers, which no object has.
  return getInteger(query, "partNumber", { min: 1, max: partCountMax + 1, otherwise: 1 });
}

interface Description {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Bytes to send; null for an answer without content. */
  readonly range: ByteRange | null;
}

function describe(
  { headers: asked, query, key }: ObjectCall,
  { info, partSizesBytes, partChecksums }: Pick<ObjectReader, "info" | "partSizesBytes" | "partChecksums">,
  { partNumber, rules }: { readonly partNumber: number | null; readonly rules: readonly LifecycleRule[] },
): Description {
  const described = {
    ...objectHeaders(info),
    ...encryptionHeaders(info.encryption),
    ...expirationHeaders(rules, ruledObject(key, info)),
  };
  const headers: Record<string, string> = { ...described, ...overrideHeaders(query) };
  if (checkReadConditions(asked, info) === "not modified") {
    for (const name of Object.keys(headers)) if (name.startsWith("content-")) delete headers[name];
    return { status: 304, headers, range: null };
  }
  const range =
    partNumber === null
      ? rangeAsked(asked, info)
      : resolvePart(partNumber, partSizesBytes ?? [info.sizeBytes]);
  if (partNumber !== null && partSizesBytes !== null) {
    headers["x-amz-mp-parts-count"] = String(partSizesBytes.length);
  }
  const { start, end } = range ?? { start: 0, end: info.sizeBytes };
  headers["content-length"] = String(end - start);
  if (range) headers["content-range"] = `bytes ${start}-${end - 1}/${info.sizeBytes}`;
  if (asked.get("x-amz-checksum-mode")?.toUpperCase() === "ENABLED") {
    const ofPart = partNumber === null ? undefined : partChecksums?.[partNumber - 1];
    Object.assign(headers, checksumHeaders(readChecksum(info, { start, end }, ofPart)));
  }
  return { status: range ? 206 : 200, headers, range: { start, end } };
}

/** Returns a part's own checksum if it is known, the object's for a read of all its bytes, and otherwise null. */
function readChecksum(
  { checksum, sizeBytes }: ObjectInfo,
  { start, end }: ByteRange,
  ofPart: string | undefined,
): ObjectInfo["checksum"] {
  if (ofPart !== undefined && checksum !== null) return { ...checksum, value: ofPart };
  return end - start === sizeBytes ? checksum : null;
}

function rangeAsked(asked: ObjectCall["headers"], info: ObjectInfo): ByteRange | null {
  return isRangeCurrent(asked, info) ? resolveRange(asked.get("range"), info.sizeBytes) : null;
}
