/** POST /v1/traces. Its contract is at the head of telemetry's delivery/post-traces.ts. */
import type { IncomingMessage } from "node:http";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import { type UploadTraceData, uploadTraceSchema, uploadTracesSchema } from "@stashlight/contracts/upload";
import { noteRefusedValues } from "@stashlight/services/node/reporting";
import { acceptTraces, TRACE_METRIC } from "@stashlight/services/trace";
import { TRACES_CONTENT_TYPE } from "@stashlight/telemetry";
import { withBodyMemory } from "../body-memory.ts";
import { type Answer, json, refusal } from "../http/answer.ts";
import { announcedBytes, decompress, parseJson, readBody } from "../http/body.ts";
import type { Ingest } from "../ingest.ts";
import { authenticatedNode, nodeSighting } from "./authenticated.ts";
import { admitWithin } from "./receive-measurements.ts";

export async function takeTraces(ingest: Ingest, request: IncomingMessage): Promise<Answer> {
  const { limits, platform } = ingest;
  const node = await authenticatedNode(ingest, request);
  const sighting = nodeSighting(ingest, request, node.nodeId);
  ingest.heartbeats.record(sighting);
  admitWithin(ingest.tracesOfNode, node, "The node sends traces more often than it may.");
  if (request.headers["content-type"] !== TRACES_CONTENT_TYPE) {
    throw refusal(415, `Content-Type must be ${TRACES_CONTENT_TYPE}.`);
  }
  const length = announcedBytes(request, limits.tracesBytesMax);
  const decoded = await withBodyMemory(ingest, length + limits.decodedTracesBytesMax, async () =>
    decode(
      await decompress(
        await readBody(request, length),
        request.headers["content-encoding"],
        limits.decodedTracesBytesMax,
      ),
    ),
  );
  const client = platform.metrics;
  await acceptTraces({
    client,
    nodeId: node.nodeId,
    traces: decoded.traces,
    nowMs: platform.now().getTime(),
  });
  ingest.metrics.traces("stored", decoded.traces.length);
  noteMalformed(ingest, node, decoded.malformedCount);
  return json(200, { receivedMs: sighting.seenAt.getTime() });
}

interface Decoded {
  readonly traces: readonly UploadTraceData[];
  readonly malformedCount: number;
}

function decode(bytes: Buffer): Decoded {
  const envelope = uploadTracesSchema.safeParse(parseJson(bytes));
  if (!envelope.success) throw refusal(400, 'The body must be {"traces": [...]} with at most 64 traces.');
  const parsed = envelope.data.traces.map((trace) => uploadTraceSchema.safeParse(trace));
  const traces = parsed.flatMap(({ success, data }) => (success ? [data] : []));
  return { traces, malformedCount: parsed.length - traces.length };
}

/** Not awaited, because the other traces are stored already. */
function noteMalformed(ingest: Ingest, { nodeId }: AuthenticatedNode, count: number): void {
  if (count === 0) return;
  ingest.metrics.traces("malformed", count);
  const refused = Array.from({ length: count }, () => ({ metric: TRACE_METRIC, reason: "malformed" }));
  noteRefusedValues(ingest.platform, nodeId, refused).catch((error: unknown) =>
    ingest.onError(error, "traces that were left out could not be counted in the database"),
  );
}
