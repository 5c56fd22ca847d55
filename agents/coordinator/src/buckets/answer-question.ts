/** Answers one of the console's questions about buckets. */
import { type BucketAnswer, type BucketQuestion, objectsCountedWithinMs } from "@stashlight/contracts/bucket";
import { S3Error } from "@stashlight/s3";
import { countExpiring } from "../lifecycle/preview.ts";
import { BUCKETS } from "../records/bucket-records.ts";
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { type DescribeOptions, listBuckets, viewBucket } from "./describe-buckets.ts";
import { checkRules, type SaveOptions, saveRules } from "./save-rules.ts";

export interface AnswerOptions extends Omit<DescribeOptions, "vault">, Omit<SaveOptions, "vault"> {
  readonly vault: VaultVerbs;
  /** Rejects unless these vaults may be served. */
  readonly check: () => Promise<void>;
}

const REASON_LENGTH_MAX = 500;

/** Rejects only because of a bug. */
export async function answerQuestion(
  options: AnswerOptions,
  question: BucketQuestion,
): Promise<BucketAnswer> {
  try {
    await options.check();
    return await answer(options, question);
  } catch (error) {
    const reason = describeRefusal(error);
    if (reason === null) throw error;
    return { type: "refused", reason: reason.slice(0, REASON_LENGTH_MAX) };
  }
}

async function answer(options: AnswerOptions, question: BucketQuestion): Promise<BucketAnswer> {
  switch (question.type) {
    case "list":
      return await listBuckets(options, question);
    case "view":
      return await viewBucket(options, question.bucket);
    case "preview": {
      const { bucket, rules } = question;
      if ((await options.vault.head(BUCKETS, bucket)) === null) {
        return { type: "refused", reason: `There is no bucket ${bucket}; it was deleted.` };
      }
      const counting = { bucket, rules: checkRules(rules), withinMs: objectsCountedWithinMs };
      return { type: "preview", ...(await countExpiring(options, counting)) };
    }
    case "save":
      return await saveRules(options, question);
  }
}

/** Returns a sentence for the operator; null for a bug. */
function describeRefusal(error: unknown): string | null {
  if (error instanceof VaultError) return error.message;
  if (!(error instanceof S3Error)) return null;
  const { cause } = error;
  return cause instanceof Error ? cause.message : error.message;
}
