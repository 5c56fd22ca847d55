/** Reads the rules of a bucket. */
import { S3Error } from "@stashlight/s3";
import { type LifecycleRule, parseLifecycleRules } from "@stashlight/s3/lifecycle";

/**
 * Returns an error for rules that this version cannot read, for example those of a later version. The bucket is then
 * skipped, because applying fewer rules could delete objects earlier.
 */
export function readKeptRules(text: string | null): readonly LifecycleRule[] | S3Error {
  try {
    return text === null ? [] : parseLifecycleRules(text);
  } catch (error) {
    if (error instanceof S3Error) return error;
    throw error;
  }
}
