/**
 * POST /v1/metrics: OTLP over HTTP, with a node's key like batches.
 *
 *     200 with a partial success   stored values are committed; those not stored, or not as sent, are counted, with the
 *                                  first reasons
 *     429, 503  Retry-After        retry; the same bytes are the same batch
 *     other 4xx                    never retry
 */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import { type Remark, refusalOfTime } from "@stashlight/services/metrics/ingest";
import { noteRefusedValues } from "@stashlight/services/node/reporting";
import {
  decodeOtlpMetrics,
  type ItemRefusal,
  type OtlpBatches,
  type OtlpEncoding,
  otlpAnswer,
  otlpStatus,
} from "@stashlight/telemetry";
import { withBodyMemory } from "../body-memory.ts";
import { type Answer, answerTo, refusal } from "../http/answer.ts";
import { decompress, readBodyUpTo } from "../http/body.ts";
import type { Ingest } from "../ingest.ts";
import { describeRemarks, rejectedCount, summariseRefusals } from "../remarks.ts";
import { authenticatedNode, nodeSighting } from "./authenticated.ts";
import { admit, commit } from "./receive-measurements.ts";

const contentTypes: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: "application/x-protobuf",
  json: "application/json",
};

const NUMBER_BYTES = 6;
export async function takeOtlpMetrics(ingest: Ingest, request: IncomingMessage): Promise<Answer> {
  const encoding = requestEncoding(request);
  // The readable encoding, for a client that declares neither.
  const answered = encoding ?? "json";
  const answer = (status: number, body: Uint8Array): Answer => ({
    status,
    body,
    contentType: contentTypes[answered],
  });
  try {
    if (encoding === undefined) {
      throw refusal(415, `Content-Type must be one of ${Object.values(contentTypes).join(" and ")}.`);
    }
    const remarks = await take(ingest, request, encoding);
    return answer(200, otlpAnswer(encoding, rejectedCount(remarks), describeRemarks(remarks)));
  } catch (error) {
    const { status, retryAfterSeconds, body } = answerTo(error);
    if (status >= 500 && retryAfterSeconds === undefined) throw error;
    const { message } = JSON.parse(body.toString()) as { message: string };
    const again = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    return { ...answer(status, otlpStatus(answered, message)), ...again };
  }
}

function requestEncoding(request: IncomingMessage): OtlpEncoding | undefined {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  return (["protobuf", "json"] as const).find((encoding) => contentTypes[encoding] === type);
}

/** Resolves when everything that can be stored is committed, with the values not stored as sent. */
async function take(
  ingest: Ingest,
  request: IncomingMessage,
  encoding: OtlpEncoding,
): Promise<readonly Remark[]> {
  const node = await authenticatedNode(ingest, request);
  ingest.heartbeats.record(nodeSighting(ingest, request, node.nodeId));
  admit(ingest, node);
  const { batchBytesMax } = ingest.limits;
  const body = await withBodyMemory(ingest, batchBytesMax, () => readBodyUpTo(request, batchBytesMax));
  const { batches, refusals, bytes } = await decode(ingest, node, body, request, encoding);
  if (batches.length === 0) return noteRefused(ingest, node, refusals);
  // Reported with the first batch of the request, so that values left out count once even if the request arrives
  // repeatedly.
  const batchRefusals = (i: number) => (i === 0 ? refusals : []);
  const share = bytes / batches.length;
  const remarks = await Promise.all(
    batches.map((batch, i) => commit(ingest, node, batch, batchRefusals(i), share)),
  );
  return remarks.flat();
}

/** Counts a request that contains nothing storable, before it is answered. */
async function noteRefused(
  ingest: Ingest,
  { nodeId }: AuthenticatedNode,
  refusals: readonly ItemRefusal[],
): Promise<readonly Remark[]> {
  const remarks = summariseRefusals(refusals);
  if (remarks.length === 0) return [];
  ingest.metrics.refused(remarks);
  await noteRefusedValues(ingest.platform, nodeId, refusals);
  return remarks;
}

async function decode(
  ingest: Ingest,
  { nodeId }: AuthenticatedNode,
  body: Buffer,
  request: IncomingMessage,
  encoding: OtlpEncoding,
): Promise<OtlpBatches & { readonly bytes: number }> {
  try {
    const bytes = await decompress(body, request.headers["content-encoding"], ingest.limits.decodedBytesMax);
    ingest.metrics.received(body.length, bytes.length);
    const nowMs = ingest.platform.now().getTime();
    const windowRefusal = (endMs: number) => refusalOfTime(endMs, nowMs);
    const decoded = decodeOtlpMetrics(bytes, encoding, { nodeId, bootId: batchNumber(bytes) }, windowRefusal);
    return { ...decoded, bytes: bytes.length };
  } catch (error) {
    ingest.metrics.batch("malformed");
    throw error;
  }
}

/** Derived from the bytes, so that a repeated request is the same batch. */
const batchNumber = (bytes: Uint8Array): number =>
  createHash("sha256").update(bytes).digest().readUIntBE(0, NUMBER_BYTES);
