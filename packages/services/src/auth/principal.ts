import type { Principal } from "@stashlight/contracts/user";
import { userColumns } from "@stashlight/db/columns/user";
import type { WithSignIn } from "./sign-in.ts";

/** How long a session's "last seen" may lag behind, so that reading a page is not a write. */
const lastSeenGranularityMs = 60_000;

/** The signed-in person behind a request's cookies, or null. */
export async function resolvePrincipal(platform: WithSignIn, headers: Headers): Promise<Principal | null> {
  // Most who carry no session only want the sign-in page; they need not wait for sign-in to be loaded.
  if (!headers.get("cookie")?.includes("session_token=")) return null;
  const found = await (await platform.auth()).api.getSession({ headers });
  if (found === null || found.user.disabledAt) return null;
  const { session, user } = found;
  const now = platform.now();
  if (now.getTime() - new Date(session.updatedAt).getTime() > lastSeenGranularityMs) {
    await platform.db.session.updateMany({ where: { id: session.id }, data: { updatedAt: now } });
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
