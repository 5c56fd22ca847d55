/**
 * Passes questions to a vault's coordinators, and stores their answers and the objects they cannot read. Contracts'
 * object-location.ts describes the protocol.
 */
import type { LostObjects } from "@stashlight/contracts/lost-object";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import {
  type ObjectAnswer,
  type ObjectQuestion,
  objectQuestionOpenMs,
  objectQuestionsAtOnceMax,
} from "@stashlight/contracts/object-location";
import type { Base } from "../base.ts";
import { requireCoordinator } from "../node/require-coordinator.ts";

const answerSql = `
  UPDATE object_question SET location = $3, answered_at = $4
   WHERE id = $1 AND vault = $2 AND location IS NULL`;

const openSql = `
  SELECT id AS "questionId", bucket, key FROM object_question
   WHERE vault = $1 AND asked_at > $2 AND location IS NULL
   ORDER BY asked_at LIMIT ${objectQuestionsAtOnceMax}`;

const lostSql = `
  INSERT INTO lost_object_report (node_id, vault, reported_at, total, objects) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (node_id) DO UPDATE
     SET vault = excluded.vault, reported_at = excluded.reported_at, total = excluded.total, objects = excluded.objects`;

/** Stores the first answer to each question of the coordinator's vault, and returns the open questions. */
export async function exchangeObjectQuestions(
  { metrics, now }: Pick<Base, "metrics" | "now">,
  node: AuthenticatedNode,
  answers: readonly ObjectAnswer[],
  lost?: LostObjects,
): Promise<ObjectQuestion[]> {
  requireCoordinator(node, "for objects");
  const { nodeId, vault } = node;
  const at = now();
  for (const { questionId, location } of answers) {
    await metrics.query(answerSql, [questionId, vault, JSON.stringify(location), at]);
  }
  if (lost !== undefined) {
    await metrics.query(lostSql, [nodeId, vault, at, lost.total, JSON.stringify(lost.objects)]);
  }
  const since = new Date(at.getTime() - objectQuestionOpenMs);
  const { rows } = await metrics.query<ObjectQuestion>(openSql, [vault, since]);
  return rows;
}
