import type { Principal } from "@stashlight/contracts/user";
import { userColumns } from "@stashlight/db/columns/user";
import { isStorageFull } from "../database-error.ts";
import type { WithSignIn } from "./sign-in.ts";

/** Tolerated lag of a session's "last seen", so that reading a page does not cause a write. */
const lastSeenGranularityMs = 60_000;

/** Tolerates a full database disk, so that pages, above all health, still work. */
async function noteSeen({ db }: WithSignIn, sessionId: string, now: Date): Promise<void> {
  try {
    await db.session.updateMany({ where: { id: sessionId }, data: { updatedAt: now } });
  } catch (error) {
    if (!isStorageFull(error)) throw error;
  }
}

/** Returns the user behind a request's cookies, or null. */
export async function resolvePrincipal(platform: WithSignIn, headers: Headers): Promise<Principal | null> {
  // Most requests without a session are for the sign-in page, and need not wait for sign-in to be loaded.
  if (!headers.get("cookie")?.includes("session_token=")) return null;
  const found = await (await platform.auth()).api.getSession({ headers });
  if (found === null || found.user.disabledAt) return null;
  const { session, user } = found;
  const now = platform.now();
  if (now.getTime() - new Date(session.updatedAt).getTime() > lastSeenGranularityMs) {
    await noteSeen(platform, session.id, now);
  }
  return {
    userId: user.id,
    sessionId: session.id,
    email: user.email,
    name: user.name,
    role: userColumns.role.read(user.role, user.id),
    twoFactorEnabled: user.twoFactorEnabled === true,
    timeZone: user.timeZone ?? null,
  };
}
