/**
 * Readiness check for a load balancer: 200 while this console can reach its database, 503 otherwise. Reveals nothing
 * else.
 */
import { doors } from "../../server/doors.ts";

export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
  try {
    await doors().platform.db.$queryRaw`SELECT 1`;
    return new Response("ready\n");
  } catch {
    return new Response("the database does not answer\n", { status: 503 });
  }
}
