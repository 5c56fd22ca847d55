import { StashlightError } from "@stashlight/contracts/errors";
import type { IssuedLink } from "@stashlight/contracts/user";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { issueLink } from "../link/issue.ts";
import { findUser } from "./stored-user.ts";

/** Issues a link with which a user who lost their password sets another; valid once, for a day. */
export async function issuePasswordLink({ ctx, input }: Verb<{ userId: string }>): Promise<IssuedLink> {
  const admin = requireRole(ctx, "admin");
  return ctx.platform.db.$transaction(async (tx) => {
    const user = await findUser(tx, input.userId);
    if (user.disabledAt !== null) {
      throw new StashlightError("conflict", "This user is disabled; enable them first.");
    }
    const link = await issueLink(tx, ctx.platform, {
      purpose: "password",
      userId: user.id,
      email: user.email,
      createdBy: { id: admin.userId, name: admin.name },
    });
    await writeAudit(tx, ctx, {
      action: "user.password_link_issued",
      target: { kind: "user", id: user.id, name: user.email },
      after: { expiresAt: link.expiresAt.toISOString() },
    });
    return { url: link.url, expiresAt: link.expiresAt };
  });
}
