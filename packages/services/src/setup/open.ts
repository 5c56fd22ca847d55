import { openDatabase } from "@stashlight/db";
import { issueLink } from "../link/issue.ts";

export interface OpenSetupOptions {
  databaseUrl: string;
  publicUrl: string;
  now?: () => Date;
}

/**
 * Issues the one-time link that creates the first admin, valid for an hour; earlier links end. Null once there is an
 * admin. Called when an installation starts, before any user can sign in.
 */
export async function openSetup(options: OpenSetupOptions): Promise<{ url: string; expiresAt: Date } | null> {
  const db = openDatabase({
    url: options.databaseUrl,
    purpose: "tool",
    applicationName: "stashlight-setup",
    connectionsMax: 1,
  });
  try {
    return await db.$transaction(async (tx) => {
      if ((await tx.user.count({ where: { role: "admin" } })) > 0) return null;
      const platform = { now: options.now ?? (() => new Date()), options: { publicUrl: options.publicUrl } };
      const { url, expiresAt } = await issueLink(tx, platform, { purpose: "setup" });
      return { url, expiresAt };
    });
  } finally {
    await db.$disconnect();
  }
}
