/** User at this terminal, for coordinators' audit logs. */
import { hostname, userInfo } from "node:os";

export function operatorName(): { user: string; host: string } {
  return { user: userName(), host: hostname() || "unknown" };
}

function userName(): string {
  try {
    return userInfo().username || "unknown";
  } catch {
    // Covers a user without a passwd entry, as in some containers.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
