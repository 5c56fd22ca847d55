/** The person at this terminal, for audit logs of coordinators. */
import { hostname, userInfo } from "node:os";

export function operatorName(): { user: string; host: string } {
  return { user: userName(), host: hostname() || "unknown" };
}

function userName(): string {
  try {
    return userInfo().username || "unknown";
  } catch {
    // A user without an entry in the system's list, as in some containers.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
