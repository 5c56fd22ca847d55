import {
  type askBucketsInput,
  type BucketQuestion,
  bucketQuestionOpenMs,
  bucketQuestionsOpenMax,
  type previewRulesInput,
} from "@stashlight/contracts/bucket";
import { StashlightError } from "@stashlight/contracts/errors";
import type { Transaction } from "@stashlight/db";
import { bucketQuestionColumns } from "@stashlight/db/columns/bucket-question";
import { type Context, requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";

export interface AskedQuestion {
  questionId: string;
}

/** Asks a coordinator of the vault for its buckets, or for one of them. */
export async function askBuckets({ ctx, input }: Verb<typeof askBucketsInput>): Promise<AskedQuestion> {
  const { userId } = requireRole(ctx, "viewer");
  const { vault, question } = input;
  return ctx.platform.db.$transaction((tx) => createQuestion(tx, ctx, { vault, question, userId }));
}

/**
 * Asks a coordinator what rules would delete now. The answer requires a search of all objects of a bucket, so viewers
 * may not ask.
 */
export async function previewRules({ ctx, input }: Verb<typeof previewRulesInput>): Promise<AskedQuestion> {
  const { userId } = requireRole(ctx, "operator");
  const { vault, ...asked } = input;
  const question = { type: "preview", ...asked } as const;
  return ctx.platform.db.$transaction((tx) => createQuestion(tx, ctx, { vault, question, userId }));
}

interface NewQuestion {
  readonly vault: string;
  readonly question: BucketQuestion;
  readonly userId: string;
}

export async function createQuestion(
  tx: Transaction,
  { platform }: Context,
  { vault, question, userId }: NewQuestion,
): Promise<AskedQuestion> {
  const askedAt = platform.now();
  const where = { vault, role: "coordinator", status: "active", isSimulated: false } as const;
  if ((await tx.node.findFirst({ where, select: { id: true } })) === null) {
    throw new StashlightError(
      "precondition_failed",
      `The vault ${vault} has no approved coordinator, and only a coordinator knows its buckets. Enrol one under Nodes.`,
    );
  }
  const since = new Date(askedAt.getTime() - bucketQuestionOpenMs);
  const openCount = await tx.bucketQuestion.count({
    where: { vault, askedAt: { gt: since }, takenAt: null },
  });
  if (openCount >= bucketQuestionsOpenMax) {
    throw new StashlightError(
      "rate_limited",
      `${openCount} questions wait for a coordinator of ${vault}. Try again in a moment.`,
      { retryAfterSeconds: bucketQuestionOpenMs / 1000 },
    );
  }
  const questionId = newId();
  await tx.bucketQuestion.create({
    data: {
      id: questionId,
      vault,
      question: bucketQuestionColumns.question.write(question),
      askedById: userId,
      askedAt,
    },
  });
  return { questionId };
}
