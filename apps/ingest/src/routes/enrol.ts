/** POST /v1/enrol: {"token", "name", "role", "agentVersion"} -> {"nodeId", "name", "vault", "status", "key"}. */
import type { IncomingMessage } from "node:http";
import { enrolNodeInput } from "@stashlight/contracts/node";
import { type Answer, json, refusal } from "../http/answer.ts";
import { announcedBytes, parseJson, readBody } from "../http/body.ts";
import { type Ingest, requestAddress } from "../ingest.ts";

export async function enrol(ingest: Ingest, request: IncomingMessage): Promise<Answer> {
  const length = announcedBytes(request, ingest.limits.enrolmentBytesMax);
  const body = await readBody(request, length);
  const parsed = enrolNodeInput.safeParse(parseJson(body));
  if (!parsed.success) throw refusal(400, parsed.error.issues[0]?.message ?? "The request cannot be read.");
  const userAgent = request.headers["user-agent"] ?? "";
  const origin = { ipAddress: requestAddress(ingest, request), userAgent };
  const { enrolNode } = await import("@stashlight/services/node/enrol");
  const ctx = { platform: ingest.control, principal: null, origin };
  return json(200, await enrolNode({ ctx, input: parsed.data }));
}
