/** POST /v1/batches. Its contract is at the head of telemetry's delivery/http-post.ts. */
import type { IncomingMessage } from "node:http";
import { StashlightError } from "@stashlight/contracts/errors";
import { type AuthenticatedNode, s3AddressSchema } from "@stashlight/contracts/node";
import type { NodeSighting } from "@stashlight/services/node/reporting";
import {
  BATCH_CONTENT_TYPE,
  type DecodedBatch,
  decodeBatch,
  type ItemRefusal,
  type MetricName,
} from "@stashlight/telemetry";
import { withBodyMemory } from "../body-memory.ts";
import { type Answer, json, refusal } from "../http/answer.ts";
import { announcedBytes, decompress, readBody } from "../http/body.ts";
import type { Ingest } from "../ingest.ts";
import { describeRemarks, rejectedCount } from "../remarks.ts";
import { authenticatedNode, nodeSighting, parseAgentVersion } from "./authenticated.ts";
import { admit, commit } from "./receive-measurements.ts";

export async function takeBatch(ingest: Ingest, request: IncomingMessage): Promise<Answer> {
  const node = await authenticatedNode(ingest, request);
  const sighting = nodeSighting(ingest, request, node.nodeId);
  ingest.heartbeats.record(sighting);
  admit(ingest, node);
  if (request.headers["content-type"] !== BATCH_CONTENT_TYPE) {
    throw refusal(415, `Content-Type must be ${BATCH_CONTENT_TYPE}.`);
  }
  const length = announcedBytes(request, ingest.limits.batchBytesMax);
  const body = await withBodyMemory(ingest, length, () => readBody(request, length));
  const decoded = await decode(ingest, node, body, request.headers["content-encoding"]);
  const { batch } = decoded;
  assertOfNode(ingest, node, batch);
  ingest.heartbeats.record({ ...sighting, ...reportedIn(batch) });
  const remarks = await commit(ingest, node, batch, decoded.refusals, decoded.bytes);
  const message = describeRemarks(remarks);
  return json(200, {
    receivedMs: sighting.seenAt.getTime(),
    ...(message === "" ? {} : { rejectedCount: rejectedCount(remarks), message }),
  });
}

/** Reads a node's version, spool and S3 address from its gauges. */
function reportedIn({ window }: DecodedBatch): Pick<NodeSighting, "agentVersion" | "spoolBytes" | "s3"> {
  const gauge = (name: MetricName<"gauge">) => window.gauges.find(({ metric }) => metric === name);
  const agentVersion = parseAgentVersion(gauge("stashlight_agent_info")?.labels.version);
  const spool = gauge("stashlight_agent_spool_bytes");
  const s3 = s3AddressSchema.safeParse(gauge("stashlight_edge_info")?.labels);
  return {
    ...(agentVersion === undefined ? {} : { agentVersion }),
    ...(spool === undefined ? {} : { spoolBytes: Math.max(0, spool.value) }),
    ...(s3.success ? { s3: s3.data } : {}),
  };
}

interface Decoded {
  readonly batch: DecodedBatch;
  readonly refusals: readonly ItemRefusal[];
  readonly bytes: number;
}

async function decode(
  ingest: Ingest,
  { nodeId }: AuthenticatedNode,
  body: Buffer,
  encoding: string | undefined,
): Promise<Decoded> {
  try {
    const bytes = await decompress(body, encoding, ingest.limits.decodedBytesMax);
    ingest.metrics.received(body.length, bytes.length);
    const decoded = ingest.seriesOfNodes.with(nodeId, (memory) => decodeBatch(bytes, memory));
    return { ...decoded, bytes: bytes.length };
  } catch (error) {
    ingest.metrics.batch("malformed");
    throw error;
  }
}

/** Accepts the node's name as well, because a node knows no id before it has enrolled. */
function assertOfNode(ingest: Ingest, node: AuthenticatedNode, batch: DecodedBatch): void {
  if (batch.nodeId !== node.nodeId && batch.nodeId !== node.name) {
    ingest.metrics.batch("wrong_node");
    throw new StashlightError(
      "conflict",
      `The batch is from the node ${batch.nodeId.slice(0, 100)}, and the key belongs to ${node.name}.`,
    );
  }
}
