import type { saveRulesInput } from "@stashlight/contracts/bucket";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { type AskedQuestion, createQuestion } from "./ask.ts";

/** Asks a coordinator to replace the lifecycle rules of a bucket, unless they have changed since they were shown. */
export async function saveRules({ ctx, input }: Verb<typeof saveRulesInput>): Promise<AskedQuestion> {
  const { userId, name } = requireRole(ctx, "operator");
  const { vault, ...asked } = input;
  const question = { type: "save", ...asked, operator: name } as const;
  return ctx.platform.db.$transaction(async (tx) => {
    const created = await createQuestion(tx, ctx, { vault, question, userId });
    await writeAudit(tx, ctx, {
      action: "bucket.lifecycle_save_requested",
      target: { kind: "bucket", id: created.questionId, name: `${vault}/${input.bucket}` },
      after: { rules: input.rules, replaces: input.revision },
    });
    return created;
  });
}
