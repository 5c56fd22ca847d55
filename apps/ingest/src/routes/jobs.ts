/** POST /v1/jobs and /v1/jobs/report. Their contract is at the head of contracts' probe-job.ts. */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { type AuthenticatedNode, probeAskSchema, probeReportSchema } from "@stashlight/contracts";
import { claimProbeJob, recordProbeReport } from "@stashlight/services";
import { PROBE_JOBS_CONTENT_TYPE } from "@stashlight/telemetry";
import type { ZodType } from "zod";
import { type Answer, json, refusal } from "../http/answer.ts";
import { announcedBytes, decompress, readBody } from "../http/body.ts";
import type { Ingest } from "../ingest.ts";
import { withRoomFor } from "../room.ts";
import { authenticatedNode, sightingOf } from "./authenticated.ts";
import { admitWithin } from "./taking.ts";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

export async function giveJob(ingest: Ingest, request: IncomingMessage): Promise<Answer> {
  const node = await admittedProbe(ingest, request);
  if (!isPrivate(ingest, request)) {
    throw refusal(
      403,
      "A job carries secret keys, so it is given over TLS only: put a TLS proxy before the ingest and name it in STASHLIGHT_TRUSTED_PROXIES.",
    );
  }
  const { askBytesMax } = ingest.limits;
  const asking = parse(await bodyOf(ingest, request, askBytesMax, askBytesMax), probeAskSchema, "question");
  return json(200, await claimProbeJob(ingest.platform, node, asking));
}

export async function takeReport(ingest: Ingest, request: IncomingMessage): Promise<Answer> {
  const { limits, platform } = ingest;
  const node = await admittedProbe(ingest, request);
  const body = await bodyOf(ingest, request, limits.reportBytesMax, limits.decodedReportBytesMax);
  const report = parse(body, probeReportSchema, "report");
  return json(200, await recordProbeReport(platform, node, report));
}

async function bodyOf(
  ingest: Ingest,
  request: IncomingMessage,
  bytesMax: number,
  decodedBytesMax: number,
): Promise<Buffer> {
  if (request.headers["content-type"] !== PROBE_JOBS_CONTENT_TYPE) {
    throw refusal(415, `Content-Type is ${PROBE_JOBS_CONTENT_TYPE}.`);
  }
  const length = announcedBytes(request, bytesMax);
  return withRoomFor(ingest, length + decodedBytesMax, async () =>
    decompress(await readBody(request, length), request.headers["content-encoding"], decodedBytesMax),
  );
}

async function admittedProbe(ingest: Ingest, request: IncomingMessage): Promise<AuthenticatedNode> {
  const node = await authenticatedNode(ingest, request);
  ingest.heartbeats.record(sightingOf(ingest, request, node.nodeId));
  admitWithin(ingest.jobsOfNode, node, "The probe asks and reports faster than it may.");
  return node;
}

/** Nobody between the probe and the ingest, or its proxy, can read along. */
function isPrivate({ trustedProxies }: Ingest, request: IncomingMessage): boolean {
  const peer = (request.socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  const family = isIP(peer) === 6 ? "ipv6" : "ipv4";
  if (isIP(peer) === 0) return false;
  const protocol = request.headers["x-forwarded-proto"];
  if (protocol !== undefined || request.headers["x-forwarded-for"] !== undefined) {
    return trustedProxies.check(peer, family) && protocol === "https";
  }
  return loopback.check(peer, family);
}

function parse<Body>(bytes: Buffer, schema: ZodType<Body>, what: string): Body {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw refusal(400, "The body is no JSON.");
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw refusal(400, `The ${what}'s ${issue?.path.join(".") || "type"}: ${issue?.message}`);
}
