import type { BucketQuestionState } from "@stashlight/contracts/bucket";
import { StashlightError } from "@stashlight/contracts/errors";
import { bucketQuestionColumns } from "@stashlight/db/columns/bucket-question";
import { requireRole, type Verb } from "../context.ts";

/** Returns a coordinator's answer to the user who asked, or the state of the question. */
export async function readBucketAnswer({
  ctx,
  input,
}: Verb<{ questionId: string }>): Promise<BucketQuestionState> {
  const { userId } = requireRole(ctx, "viewer");
  const row = await ctx.platform.db.bucketQuestion.findFirst({
    where: { id: input.questionId, askedById: userId },
    select: { id: true, takenBy: true, answer: true },
  });
  if (row === null) {
    throw new StashlightError("not_found", "There is no such question, or it is older than an hour.");
  }
  const answer = bucketQuestionColumns.answer.readOrNull(row.answer, row.id);
  if (answer !== null) return { state: "answered", answer };
  return row.takenBy === null ? { state: "waiting" } : { state: "taken", coordinator: row.takenBy };
}
