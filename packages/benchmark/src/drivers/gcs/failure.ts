/** Maps refusals of Google Cloud Storage's JSON API to S3's error codes where S3 has an equivalent. */
import { z } from "zod";
import { codeIn, type EndpointFailure, failureOfStatus } from "../../endpoint/failure.ts";
import type { Exchange } from "../../wire/connection.ts";

const errorSchema = z.object({
  error: z.object({
    message: z.string().optional(),
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
});

const CODE_OF_REASON: Readonly<Record<string, string>> = {
  forbidden: "AccessDenied",
  insufficientPermissions: "AccessDenied",
  authError: "InvalidToken",
  required: "InvalidToken",
  rateLimitExceeded: "SlowDown",
  userRateLimitExceeded: "SlowDown",
  backendError: "ServiceUnavailable",
  conditionNotMet: "PreconditionFailed",
  quotaExceeded: "QuotaExceeded",
  retentionPolicyNotMet: "RetentionPolicyNotMet",
  objectUnderActiveHold: "ObjectUnderActiveHold",
};
const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  401: "InvalidToken",
  403: "AccessDenied",
  404: "NotFound",
  412: "PreconditionFailed",
  429: "SlowDown",
  503: "ServiceUnavailable",
};

/** `nowMs` is UTC. */
export function failureOfGcs(exchange: Exchange, nowMs: number): EndpointFailure | null {
  return failureOfStatus(exchange, nowMs, ({ status, body }) => {
    const document = parseErrorBody(body);
    const reason = document?.errors?.[0]?.reason;
    if (status === 404 && /bucket does not exist/i.test(document?.message ?? ""))
      return { code: "NoSuchBucket" };
    const known = reason === undefined ? undefined : CODE_OF_REASON[reason];
    return { code: known ?? CODE_OF_STATUS[status] ?? codeIn(reason) };
  });
}

function parseErrorBody(body: Buffer): z.infer<typeof errorSchema>["error"] | null {
  try {
    return errorSchema.parse(JSON.parse(body.toString("utf8"))).error;
  } catch {
    return null;
  }
}
