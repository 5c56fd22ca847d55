/** Part of the connection test for Google Cloud Storage alone. */
import { type EndpointFinding, parseServiceAccount } from "@stashlight/contracts/endpoint";
import { z } from "zod";
import { finding, type ProbeContext } from "./finding.ts";
import { findingsOfS3 } from "./s3/findings.ts";

const bucketSchema = z.object({
  location: z.string().max(60).optional(),
  versioning: z.object({ enabled: z.boolean() }).optional(),
  retentionPolicy: z.object({ retentionPeriod: z.coerce.number() }).optional(),
  softDeletePolicy: z.object({ retentionDurationSeconds: z.coerce.number() }).optional(),
});

const DAY_SECONDS = 86_400;

/** An HMAC key uses the XML API, which is tested as S3 is; a key file may read the bucket's settings. */
export async function findingsOfGcs(context: ProbeContext): Promise<EndpointFinding[]> {
  const { asker, credentials } = context;
  if (parseServiceAccount(credentials.secretAccessKey) === null) return findingsOfS3(context);
  const answer = await asker.ask((driver) => driver.describe());
  const bucket = answer.failure === null ? bucketIn(answer.text) : null;
  if (bucket === null)
    return [finding("bucket-settings", null, "The service account may not read the bucket's settings.")];
  const retainedSeconds = bucket.retentionPolicy?.retentionPeriod ?? 0;
  const softDays = (bucket.softDeletePolicy?.retentionDurationSeconds ?? 0) / DAY_SECONDS;
  return [
    finding(
      "versioning",
      bucket.versioning?.enabled ?? false,
      `The bucket's versioning is ${bucket.versioning?.enabled === true ? "enabled" : "not enabled"}.`,
    ),
    finding(
      "no-immutability",
      retainedSeconds === 0,
      retainedSeconds === 0
        ? "The bucket has no retention policy."
        : `The bucket's retention policy forbids deletion for ${(retainedSeconds / DAY_SECONDS).toFixed(1)} days: what benchmarks write stays there and is charged.`,
    ),
    finding(
      "no-soft-delete",
      softDays === 0,
      softDays === 0
        ? "Deleted objects are gone at once."
        : `Deleted objects are kept, and charged, for ${softDays.toFixed(1)} more days (soft delete).`,
    ),
  ];
}

function bucketIn(text: string): z.infer<typeof bucketSchema> | null {
  try {
    return bucketSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
