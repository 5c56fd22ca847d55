import type { createEnrolmentTokenInput, IssuedEnrolmentToken } from "@stashlight/contracts/node";
import { HOUR_MS } from "@stashlight/contracts/time";
import type { Transaction } from "@stashlight/db";
import type { z } from "zod";
import { writeAudit } from "../audit/write.ts";
import { type Context, requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";
import { newEnrolmentToken } from "./secrets.ts";

/** Creates a token with which machines enrol; it is returned only here. */
export async function createEnrolmentToken({
  ctx,
  input,
}: Verb<typeof createEnrolmentTokenInput>): Promise<IssuedEnrolmentToken> {
  const admin = requireRole(ctx, "admin");
  const createdBy = { id: admin.userId, name: admin.name };
  const issued = await ctx.platform.db.$transaction((tx) => issueToken(tx, ctx, input, createdBy));
  return { ...issued, ingestUrl: ctx.platform.options.ingestUrl ?? ctx.platform.options.publicUrl };
}

/** Creates a token and writes its event, in the caller's transaction. */
export async function issueToken(
  tx: Transaction,
  ctx: Pick<Context, "platform" | "principal" | "origin">,
  input: z.output<typeof createEnrolmentTokenInput>,
  createdBy: { id: string | null; name: string },
): Promise<{ tokenId: string; token: string; expiresAt: Date }> {
  const now = ctx.platform.now();
  const { secret, hash, lastCharacters } = newEnrolmentToken();
  const { lifetimeHours, ...terms } = input;
  const tokenId = newId();
  const expiresAt = new Date(now.getTime() + lifetimeHours * HOUR_MS);
  await tx.enrolmentToken.create({
    data: {
      id: tokenId,
      tokenHash: hash,
      lastCharacters,
      ...terms,
      createdById: createdBy.id,
      createdByName: createdBy.name,
      createdAt: now,
      expiresAt,
    },
  });
  await writeAudit(tx, ctx, {
    action: "node.token_created",
    ...(createdBy.id === null ? { actor: { id: null, name: createdBy.name, role: null } } : {}),
    target: { kind: "enrolment token", id: tokenId, name: `…${lastCharacters}` },
    after: { ...terms, expiresAt: expiresAt.toISOString() },
  });
  return { tokenId, token: secret, expiresAt };
}
