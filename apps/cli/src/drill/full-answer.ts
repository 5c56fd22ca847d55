/** Judges the answers of a full or filling vault. */
import { S3ClientError } from "@stashlight/s3/client";

export type NegativeAnswer =
  /** The vault is full, and reports it in the way that clients rely on. */
  | { readonly type: "full" }
  /** The vault asks the client to retry. */
  | { readonly type: "busy" }
  /** There was no connection, or no answer on it. */
  | { readonly type: "unreachable"; readonly why: string }
  | { readonly type: "wrong"; readonly why: string };

export function judgeAnswer(error: unknown): NegativeAnswer {
  if (!(error instanceof S3ClientError)) throw error;
  const { kind, status, code, headers } = error;
  if (kind === "unreachable" || kind === "timeout") return { type: "unreachable", why: code };
  if (status === 503 && code === "SlowDown") return { type: "busy" };
  if (status !== 507) return { type: "wrong", why: `the answer is ${status ?? "none"} ${code}` };
  if (code !== "InsufficientStorage")
    return { type: "wrong", why: `507 has the code ${code} instead of InsufficientStorage` };
  const freeBytes = headers["x-stashlight-free-bytes"];
  if (typeof freeBytes !== "string" || !/^\d+$/.test(freeBytes)) {
    return { type: "wrong", why: `507 has "${freeBytes ?? ""}" as x-stashlight-free-bytes` };
  }
  return { type: "full" };
}
