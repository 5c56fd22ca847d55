/**
 * Enrols a machine as a node. It presents an enrolment token and gets its own key; from then on only the key counts.
 *
 * A node of the same name already exists:
 *   by the same token, never seen        the response was lost: it gets another key, and no use is counted
 *   the token may replace it             it gets another key; a revoked node waits for an admin again
 *   otherwise                            refused, so that no machine takes another's name
 * In the first two cases its earlier keys end.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import type { EnrolledNode, enrolNodeInput } from "@stashlight/contracts/node";
import { nodeColumns } from "@stashlight/db/columns/node";
import type { z } from "zod";
import { appendAudit } from "../audit/write.ts";
import type { Base } from "../base.ts";
import type { Verb } from "../context.ts";
import { hashToken, newId } from "../ids.ts";
import { present } from "../present.ts";
import { enforceRateLimit } from "../rate-limit/consume.ts";
import { type Statements, toStatements, transact } from "../statements.ts";
import { giveKey } from "./give-key.ts";

interface Token {
  id: string;
  lastCharacters: string;
  vault: string;
  role: string;
  useCountMax: number;
  useCount: number;
  isAutoApproved: boolean;
  mayReplace: boolean;
  isSimulated: boolean;
  expiresAt: Date;
  revokedAt: Date | null;
}

interface Node {
  id: string;
  name: string;
  vault: string;
  role: string;
  status: string;
  enrolmentTokenId: string | null;
  lastSeenAt: Date | null;
}

const nodeColumnsSql = `id, name, vault, role, status, enrolment_token_id AS "enrolmentTokenId",
  last_seen_at AS "lastSeenAt"`;

type Input = z.output<typeof enrolNodeInput>;

/** Allows for the machines of a rack behind one address; further ones retry when the answer asks them to. */
export const enrolmentRateLimit = { windowSeconds: 60, requestCountMax: 300 };

export async function enrolNode({ ctx, input }: Verb<Input, Base>): Promise<EnrolledNode> {
  const { metrics, now } = ctx.platform;
  await enforceRateLimit(toStatements(metrics), `enrol:${ctx.origin.ipAddress}`, enrolmentRateLimit, now());
  return transact(metrics, async (tx) => {
    const token = await holdToken(tx, input.token, now());
    if (token.role !== input.role) {
      throw new StashlightError(
        "forbidden",
        `This token enrols nodes of the role ${token.role}, not ${input.role}.`,
      );
    }
    const existing = await findByName(tx, input.name);
    const isRepeat =
      existing !== null && existing.enrolmentTokenId === token.id && existing.lastSeenAt === null;
    if (!isRepeat) await useToken(tx, token);
    const node =
      existing === null
        ? await createNode(tx, token, input, now())
        : await takeAgain(tx, token, existing, input, isRepeat, now());
    const { key, lastCharacters } = await giveKey(tx, node.id, now());
    await appendAudit(tx, ctx, {
      action: existing === null ? "node.enrolled" : "node.enrolled_again",
      actor: { id: null, name: `enrolment token …${token.lastCharacters}`, role: null },
      target: { kind: "node", id: node.id, name: node.name },
      after: { vault: node.vault, role: node.role, status: node.status, keyEndsIn: lastCharacters },
    });
    return {
      nodeId: node.id,
      name: node.name,
      vault: node.vault,
      status: nodeColumns.status.read(node.status, node.id),
      key,
    };
  });
}

/** Reads the token and locks it until the transaction ends, so that its uses are counted one after another. */
async function holdToken(tx: Statements, secret: string, now: Date): Promise<Token> {
  const tokenHash = hashToken(secret);
  const [token] = await tx.query<Token>(
    `SELECT id, last_characters AS "lastCharacters", vault, role, use_count_max AS "useCountMax",
            use_count AS "useCount", is_auto_approved AS "isAutoApproved", may_replace AS "mayReplace",
            is_simulated AS "isSimulated", expires_at AS "expiresAt", revoked_at AS "revokedAt"
       FROM enrolment_token WHERE token_hash = $1::bpchar FOR UPDATE`,
    [tokenHash],
  );
  if (token === undefined) throw refused("is not known");
  if (token.revokedAt !== null) throw refused("was revoked");
  if (token.expiresAt <= now) throw refused("has expired");
  return token;
}

async function useToken(tx: Statements, token: Token): Promise<void> {
  if (token.useCount >= token.useCountMax) {
    throw refused(
      token.useCountMax === 1 ? "has already been used" : `has enrolled its ${token.useCountMax} nodes`,
    );
  }
  await tx.query("UPDATE enrolment_token SET use_count = use_count + 1 WHERE id = $1::uuid", [token.id]);
}

const refused = (why: string): StashlightError =>
  new StashlightError("unauthenticated", `This enrolment token ${why}; ask an admin for another.`);

async function findByName(tx: Statements, name: string): Promise<Node | null> {
  const [node] = await tx.query<Node>(`SELECT ${nodeColumnsSql} FROM node WHERE name = $1`, [name]);
  return node ?? null;
}

async function createNode(tx: Statements, token: Token, input: Input, now: Date): Promise<Node> {
  // If two machines with the same name enrol at the same time, one is created, and the other is refused as if it had
  // come later.
  const [node] = await tx.query<Node>(
    `INSERT INTO node (id, name, vault, role, status, is_simulated, agent_version, enrolment_token_id, created_at)
     VALUES ($1::uuid, $2::text, $3::text, $4::text, $5::text, $6::boolean, $7::text, $8::uuid, $9::timestamptz)
     ON CONFLICT DO NOTHING RETURNING ${nodeColumnsSql}`,
    [
      newId(),
      input.name,
      token.vault,
      token.role,
      token.isAutoApproved ? "active" : "pending",
      token.isSimulated,
      input.agentVersion ?? null,
      token.id,
      now,
    ],
  );
  if (node === undefined) throw nameTaken(input.name);
  return node;
}

async function takeAgain(
  tx: Statements,
  token: Token,
  node: Node,
  input: Input,
  isRepeat: boolean,
  now: Date,
): Promise<Node> {
  const isSame = node.vault === token.vault && node.role === token.role;
  if (!isRepeat && !(token.mayReplace && isSame)) throw nameTaken(node.name);
  await tx.query("UPDATE node_key SET revoked_at = $2 WHERE node_id = $1::uuid AND revoked_at IS NULL", [
    node.id,
    now,
  ]);
  const [taken] = await tx.query<Node>(
    `UPDATE node
        SET agent_version = coalesce($2::text, agent_version), enrolment_token_id = $3::uuid,
            status = CASE WHEN status = 'revoked' THEN 'pending' ELSE status END
      WHERE id = $1::uuid RETURNING ${nodeColumnsSql}`,
    [node.id, input.agentVersion ?? null, token.id],
  );
  return present(taken);
}

const nameTaken = (name: string): StashlightError =>
  new StashlightError(
    "conflict",
    `A node named ${name} is already enrolled; give this one another name, or ask an admin for a token that may replace it.`,
    { field: "name" },
  );
