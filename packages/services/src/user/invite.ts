import { StashlightError } from "@stashlight/contracts/errors";
import type { IssuedLink, inviteUserInput } from "@stashlight/contracts/user";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { issueLink } from "../link/issue.ts";

/** Creates an invitation link for an address and a role, and revokes an earlier one for the same address. */
export async function inviteUser({ ctx, input }: Verb<typeof inviteUserInput>): Promise<IssuedLink> {
  const admin = requireRole(ctx, "admin");
  return ctx.platform.db.$transaction(async (tx) => {
    if ((await tx.user.count({ where: { email: input.email } })) > 0) {
      throw new StashlightError("conflict", `${input.email} already has a user.`, { field: "email" });
    }
    const link = await issueLink(tx, ctx.platform, {
      purpose: "invitation",
      email: input.email,
      role: input.role,
      createdBy: { id: admin.userId, name: admin.name },
    });
    await writeAudit(tx, ctx, {
      action: "user.invited",
      target: { kind: "invitation", id: link.id, name: input.email },
      after: { email: input.email, role: input.role, expiresAt: link.expiresAt.toISOString() },
    });
    return { url: link.url, expiresAt: link.expiresAt };
  });
}
