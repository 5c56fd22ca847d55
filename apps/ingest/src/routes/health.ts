import type { IncomingMessage } from "node:http";
import { exposition } from "@stashlight/telemetry";
import { type Answer, json, refusal } from "../http/answer.ts";
import type { Ingest } from "../ingest.ts";

/** GET /healthz: the process answers. */
export const answerHealth = async (): Promise<Answer> => json(200, { status: "ok" });

/** GET /readyz: batches are accepted, because the database answers. */
export async function answerReadiness(ingest: Ingest): Promise<Answer> {
  if (ingest.isStopping) throw refusal(503, "The ingest is stopping.");
  await ingest.platform.metrics.query("SELECT 1");
  return json(200, { status: "ready" });
}

/** GET /metrics. */
export async function answerMetrics(ingest: Ingest, request: IncomingMessage): Promise<Answer> {
  const { contentType, body } = exposition(ingest.recorder, request.headers.accept);
  return { status: 200, contentType, body };
}
