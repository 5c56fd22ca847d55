/**
 * The worker's health port, for supervisors and monitoring:
 *
 *     GET /healthz   200 while the process answers
 *     GET /readyz    200 while jobs are processed, 503 with the reason otherwise
 */
import { createServer, type Server } from "node:http";

export interface HealthSource {
  /** Reason that no jobs are processed, as a sentence; null while they are. */
  readonly unreadiness: () => Promise<string | null>;
}

export function createHealthServer({ unreadiness }: HealthSource): Server {
  const answer = async (path: string): Promise<[number, object]> => {
    if (path === "/healthz") return [200, { status: "ok" }];
    if (path !== "/readyz") return [404, { message: "The paths are /healthz and /readyz." }];
    const message = await unreadiness().catch(() => "The database does not answer.");
    return message === null ? [200, { status: "ready" }] : [503, { message }];
  };
  return createServer({ requestTimeout: 10_000 }, async ({ url = "" }, response) => {
    const [status, body] = await answer(url.split("?", 1)[0] ?? "");
    response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
    response.end(`${JSON.stringify(body)}\n`);
  });
}
