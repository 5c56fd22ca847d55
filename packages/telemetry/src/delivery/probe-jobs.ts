/** Sends a probe's requests and reports to the ingest. Contracts' probe/job.ts describes the protocol. */
import { zstdCompressSync } from "node:zlib";
import type { ProbeAsk } from "@stashlight/contracts/probe";
import type { ProbeJob, ProbeReport } from "@stashlight/contracts/probe/job";
import { type Answer, refusalMessage, retryAfterMs, sendRequest } from "../http/ingest-request.ts";
import { type PostOptions, SENT_HEADER } from "./http-post.ts";

export const PROBE_JOBS_CONTENT_TYPE = "application/vnd.stashlight.job+json";

/** Address and identity from the key file, plus the agent's version. */
export interface ProbeOptions extends PostOptions {
  readonly agentVersion: string;
}

export type NotTaken =
  | { readonly type: "again" | "unreachable"; readonly reason: string; readonly afterMs: number }
  | { readonly type: "refused"; readonly reason: string };

export type JobAnswer = { readonly type: "job"; readonly job: ProbeJob } | NotTaken;

export type ReportAnswer =
  | { readonly type: "recorded"; readonly isCancelled: boolean }
  /** The slot has ended or was taken from this probe, so its results are no longer needed. */
  | { readonly type: "over"; readonly reason: string }
  | NotTaken;

/** Enough for eight endpoints with their certificates. */
const JOB_BYTES_MAX = 2_097_152;
const UNREACHABLE_MS = 5_000;

/** Never rejects. */
export async function askForJob(options: ProbeOptions, asking: ProbeAsk): Promise<JobAnswer> {
  return question(options, "/v1/jobs", asking, (answer) => {
    if (answer.status !== 200) return notTaken(answer);
    return { type: "job", job: JSON.parse(answer.text) as ProbeJob };
  });
}

/** Never rejects. */
export async function postReport(options: ProbeOptions, report: ProbeReport): Promise<ReportAnswer> {
  return question(options, "/v1/jobs/report", report, (answer) => {
    if (answer.status === 409) return { type: "over", reason: refusalMessage(answer) };
    if (answer.status !== 200) return notTaken(answer);
    const { isCancelled } = JSON.parse(answer.text) as { isCancelled: boolean };
    return { type: "recorded", isCancelled };
  });
}

async function question<Result>(
  { origin, key, ca, timeoutMs, nowMs, agentVersion }: ProbeOptions,
  path: string,
  body: unknown,
  read: (answer: Answer) => Result | NotTaken,
): Promise<Result | NotTaken> {
  try {
    const answer = await sendRequest({
      method: "POST",
      url: new URL(path, origin),
      headers: {
        authorization: `Bearer ${key()}`,
        "content-type": PROBE_JOBS_CONTENT_TYPE,
        "content-encoding": "zstd",
        "x-stashlight-agent-version": agentVersion,
        [SENT_HEADER]: String(nowMs()),
      },
      body: zstdCompressSync(Buffer.from(JSON.stringify(body))),
      ca,
      timeoutMs,
      answerBytesMax: JOB_BYTES_MAX,
    });
    return read(answer);
  } catch (error) {
    const reason = `${origin} cannot be reached: ${(error as Error).message}.`;
    return { type: "unreachable", reason, afterMs: UNREACHABLE_MS };
  }
}

function notTaken(answer: Answer): NotTaken {
  const { status, retryAfter } = answer;
  const reason = refusalMessage(answer);
  if (status === 429 || status === 503) return { type: "again", reason, afterMs: retryAfterMs(retryAfter) };
  if (status >= 400 && status < 500) return { type: "refused", reason };
  return { type: "unreachable", reason, afterMs: UNREACHABLE_MS };
}
