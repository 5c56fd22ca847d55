/** POST /v1/jobs and /v1/jobs/report. Their contract is at the head of contracts' probe-job.ts. */
import type { IncomingMessage } from "node:http";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import { probeAskSchema } from "@stashlight/contracts/probe";
import { probeReportSchema } from "@stashlight/contracts/probe/job";
import { answerIdleProbe } from "@stashlight/services/probe-job/idle";
import { PROBE_JOBS_CONTENT_TYPE } from "@stashlight/telemetry";
import { withBodyMemory } from "../body-memory.ts";
import { type Answer, json, refusal } from "../http/answer.ts";
import { announcedBytes, decompress, parseAs, readBody } from "../http/body.ts";
import type { Ingest } from "../ingest.ts";
import { authenticatedNode, nodeSighting } from "./authenticated.ts";
import { requirePrivate } from "./private.ts";
import { admitWithin } from "./receive-measurements.ts";

export async function giveJob(ingest: Ingest, request: IncomingMessage): Promise<Answer> {
  const node = await admittedProbe(ingest, request);
  requirePrivate(ingest, request, "A job contains secret keys, so it is served");
  const { askBytesMax } = ingest.limits;
  const asking = parseAs(
    await readJobBody(ingest, request, askBytesMax, askBytesMax),
    probeAskSchema,
    "The question's",
  );
  const idle = await answerIdleProbe(ingest.platform, node, asking);
  if (idle !== null) return json(200, idle);
  const { claimProbeJob } = await import("@stashlight/services/probe-job");
  return json(200, await claimProbeJob(ingest.control, node, asking));
}

export async function takeReport(ingest: Ingest, request: IncomingMessage): Promise<Answer> {
  const { limits } = ingest;
  const node = await admittedProbe(ingest, request);
  const body = await readJobBody(ingest, request, limits.reportBytesMax, limits.decodedReportBytesMax);
  const report = parseAs(body, probeReportSchema, "The report's");
  const { recordProbeReport } = await import("@stashlight/services/probe-job");
  return json(200, await recordProbeReport(ingest.control, node, report));
}

async function readJobBody(
  ingest: Ingest,
  request: IncomingMessage,
  bytesMax: number,
  decodedBytesMax: number,
): Promise<Buffer> {
  if (request.headers["content-type"] !== PROBE_JOBS_CONTENT_TYPE) {
    throw refusal(415, `Content-Type must be ${PROBE_JOBS_CONTENT_TYPE}.`);
  }
  const length = announcedBytes(request, bytesMax);
  return withBodyMemory(ingest, length + decodedBytesMax, async () =>
    decompress(await readBody(request, length), request.headers["content-encoding"], decodedBytesMax),
  );
}

async function admittedProbe(ingest: Ingest, request: IncomingMessage): Promise<AuthenticatedNode> {
  const node = await authenticatedNode(ingest, request);
  ingest.heartbeats.record(nodeSighting(ingest, request, node.nodeId));
  admitWithin(ingest.jobsOfNode, node, "The probe requests jobs and reports too often.");
  return node;
}
