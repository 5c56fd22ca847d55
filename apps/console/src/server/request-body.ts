import type { IncomingMessage, ServerResponse } from "node:http";
import { benchmarkImportBytesMax } from "@stashlight/contracts/benchmark";

export const bodyBytesMax = 1_000_000;

/** Import files are larger than any other request. */
const importPath = "/api/benchmarks/import";

const requestBytesMax = (url: string | undefined): number =>
  url?.split("?")[0] === importPath ? benchmarkImportBytesMax : bodyBytesMax;

/**
 * Refuses a request whose body is too large or of unknown length, before reading any of it. Browsers always send a
 * body's length, and Node reads no more than that.
 */
export function refuseBody(request: IncomingMessage, response: ServerResponse): boolean {
  const bytesMax = requestBytesMax(request.url);
  const status = refusalStatus(request.headers, bytesMax);
  if (status === null) return false;
  response.writeHead(status, { connection: "close", "content-type": "text/plain; charset=utf-8" });
  response.end(
    status === 411
      ? "A Content-Length header is required.\n"
      : `A body can have at most ${bytesMax} bytes.\n`,
  );
  return true;
}

function refusalStatus(headers: IncomingMessage["headers"], bytesMax = bodyBytesMax): 411 | 413 | null {
  if (headers["transfer-encoding"] !== undefined) return 411;
  return Number(headers["content-length"] ?? 0) > bytesMax ? 413 : null;
}
