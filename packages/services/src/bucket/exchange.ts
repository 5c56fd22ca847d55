/** Passes questions about buckets to a vault's coordinators. Contracts' bucket.ts describes the protocol. */
import {
  type BucketReport,
  bucketQuestionOpenMs,
  type LifecycleDeletion,
  type TakenBucketQuestion,
} from "@stashlight/contracts/bucket";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import { bucketQuestionColumns } from "@stashlight/db/columns/bucket-question";
import type { Base } from "../base.ts";
import { requireCoordinator } from "../node/require-coordinator.ts";

const answerSql = `
  UPDATE bucket_question SET answer = $3, answered_at = $4
   WHERE id = $1 AND taken_by_id = $2 AND answer IS NULL`;

const takeSql = `
  UPDATE bucket_question SET taken_by_id = $2, taken_by = $3, taken_at = $4
   WHERE id IN (SELECT id FROM bucket_question
                 WHERE vault = $1 AND asked_at > $5 AND taken_at IS NULL
                 ORDER BY asked_at LIMIT $6 FOR UPDATE SKIP LOCKED)
  RETURNING id, question`;

/** A report that is sent again because its answer was lost adds nothing. */
const deletionSql = `
  INSERT INTO lifecycle_deletion (vault, node_id, at, action, bucket, rule_id, count, bytes)
  SELECT $1, $2, at, action, bucket, "ruleId", count, bytes
    FROM jsonb_to_recordset($3::jsonb)
         AS line (at timestamptz, action text, bucket text, "ruleId" text, count bigint, bytes bigint)
  ON CONFLICT DO NOTHING`;

/** Stores a coordinator's answers and deletions, and returns questions for it alone. */
export async function exchangeBucketQuestions(
  { metrics, now }: Pick<Base, "metrics" | "now">,
  node: AuthenticatedNode,
  { room, answers, deletions }: BucketReport,
): Promise<TakenBucketQuestion[]> {
  requireCoordinator(node, "about buckets");
  const { nodeId, name, vault } = node;
  const at = now();
  for (const { questionId, answer } of answers) {
    await metrics.query(answerSql, [questionId, nodeId, JSON.stringify(answer), at]);
  }
  if (deletions.length > 0) {
    await metrics.query(deletionSql, [
      vault,
      nodeId,
      JSON.stringify(deletions satisfies LifecycleDeletion[]),
    ]);
  }
  if (room === 0) return [];
  const since = new Date(at.getTime() - bucketQuestionOpenMs);
  const { rows } = await metrics.query<{ id: string; question: unknown }>(takeSql, [
    ...[vault, nodeId, name, at],
    ...[since, room],
  ]);
  return rows.map(({ id, question }) => ({
    questionId: id,
    question: bucketQuestionColumns.question.read(question, id),
  }));
}
