/** Reads the rules that a bucket has. */
import { S3Error } from "@stashlight/s3";
import { type LifecycleRule, parseLifecycleRules } from "@stashlight/s3/lifecycle";

/**
 * An error in place of rules that this version cannot read, for example because a later one wrote them. The bucket is
 * skipped then: fewer rules could mean an earlier deletion.
 */
export function readKeptRules(text: string | null): readonly LifecycleRule[] | S3Error {
  try {
    return text === null ? [] : parseLifecycleRules(text);
  } catch (error) {
    if (error instanceof S3Error) return error;
    throw error;
  }
}
