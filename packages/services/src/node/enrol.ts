/**
 * A machine becomes a node. It shows an enrolment token and gets a key of its own; from then on the key alone counts.
 *
 * A node of the same name is there already:
 *   of the same token, never heard of    the answer was lost on the way: it gets another key, and no use is counted
 *   the token may replace it             it gets another key; a revoked one waits for an admin again
 *   otherwise                            refused, so that nobody takes another's name
 * In the first two cases its earlier keys end.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import type { EnrolledNode, enrolNodeInput } from "@stashlight/contracts/node";
import type { Prisma, Transaction } from "@stashlight/db";
import { nodeColumns } from "@stashlight/db/columns/node";
import type { z } from "zod";
import { writeAudit } from "../audit/write.ts";
import type { Verb } from "../context.ts";
import { hashToken, newId } from "../ids.ts";
import { enforceRateLimit } from "../rate-limit/consume.ts";
import { giveKey } from "./rotate-key.ts";

type Token = Prisma.EnrolmentTokenGetPayload<object>;
type Node = Prisma.NodeGetPayload<object>;
type Input = z.output<typeof enrolNodeInput>;

/** Room for the machines of a rack behind one address; more come again when they are told to. */
export const enrolmentRateLimit = { windowSeconds: 60, requestCountMax: 300 };

export async function enrolNode({ ctx, input }: Verb<Input>): Promise<EnrolledNode> {
  const { db, now } = ctx.platform;
  await enforceRateLimit(db, `enrol:${ctx.origin.ipAddress}`, enrolmentRateLimit, now());
  return db.$transaction(async (tx) => {
    const token = await holdToken(tx, input.token, now());
    if (token.role !== input.role) {
      throw new StashlightError(
        "forbidden",
        `This token enrols nodes of the role ${token.role}, not ${input.role}.`,
      );
    }
    const existing = await tx.node.findUnique({ where: { name: input.name } });
    const isRepeat =
      existing !== null && existing.enrolmentTokenId === token.id && existing.lastSeenAt === null;
    if (!isRepeat) await useToken(tx, token);
    const node =
      existing === null
        ? await createNode(tx, token, input, now())
        : await takeAgain(tx, token, existing, input, isRepeat, now());
    const { key, lastCharacters } = await giveKey(tx, node.id, now());
    await writeAudit(tx, ctx, {
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

/** The token, held until the transaction ends, so that its uses are counted one after the other. */
async function holdToken(tx: Transaction, secret: string, now: Date): Promise<Token> {
  const tokenHash = hashToken(secret);
  await tx.$queryRaw`SELECT id FROM enrolment_token WHERE token_hash = ${tokenHash} FOR UPDATE`;
  const token = await tx.enrolmentToken.findUnique({ where: { tokenHash } });
  if (token === null) throw refused("is not known");
  if (token.revokedAt !== null) throw refused("was revoked");
  if (token.expiresAt <= now) throw refused("has expired");
  return token;
}

async function useToken(tx: Transaction, token: Token): Promise<void> {
  if (token.useCount >= token.useCountMax) {
    throw refused(
      token.useCountMax === 1 ? "was used already" : `has enrolled its ${token.useCountMax} nodes`,
    );
  }
  await tx.enrolmentToken.update({ where: { id: token.id }, data: { useCount: { increment: 1 } } });
}

const refused = (why: string): StashlightError =>
  new StashlightError("unauthenticated", `This enrolment token ${why}; ask an admin for another.`);

async function createNode(tx: Transaction, token: Token, input: Input, now: Date): Promise<Node> {
  // Two machines of one name at the same time: one is made, the other is refused as if it had come later.
  const { count } = await tx.node.createMany({
    data: {
      id: newId(),
      name: input.name,
      vault: token.vault,
      role: token.role,
      status: token.isAutoApproved ? "active" : "pending",
      isSimulated: token.isSimulated,
      agentVersion: input.agentVersion ?? null,
      enrolmentTokenId: token.id,
      createdAt: now,
    },
    skipDuplicates: true,
  });
  if (count === 0) throw nameTaken(input.name);
  return tx.node.findUniqueOrThrow({ where: { name: input.name } });
}

async function takeAgain(
  tx: Transaction,
  token: Token,
  node: Node,
  input: Input,
  isRepeat: boolean,
  now: Date,
): Promise<Node> {
  const isSame = node.vault === token.vault && node.role === token.role;
  if (!isRepeat && !(token.mayReplace && isSame)) throw nameTaken(node.name);
  await tx.nodeKey.updateMany({
    where: { nodeId: node.id, revokedAt: null },
    data: { revokedAt: now },
  });
  return tx.node.update({
    where: { id: node.id },
    data: {
      agentVersion: input.agentVersion ?? node.agentVersion,
      enrolmentTokenId: token.id,
      ...(node.status === "revoked" ? { status: "pending" } : {}),
    },
  });
}

const nameTaken = (name: string): StashlightError =>
  new StashlightError(
    "conflict",
    `A node of the name ${name} is enrolled already; give this one another name, or ask an admin for a token that may replace it.`,
    { field: "name" },
  );
