/**
 * The answer to an import that the client follows: a line of JSON per step, then the result. The status is sent before
 * the file is read, so a refusal is a line too. A client that disconnects cancels the import.
 */
import {
  type BenchmarkImportEvent,
  type ImportedBenchmarkRun,
  importEventsType,
} from "@stashlight/contracts/benchmark";
import { StashlightError } from "@stashlight/contracts/errors";
import type { ImportOptions } from "@stashlight/services/benchmark-result";
import { publicError } from "./public-error.ts";

const cancelled = () => new StashlightError("conflict", "The import was cancelled and nothing was kept.");

export function isFollowed(headers: Headers): boolean {
  return headers.get("accept")?.includes(importEventsType) ?? false;
}

export function followedImport(
  run: (options: ImportOptions) => Promise<ImportedBenchmarkRun>,
  clientGone: AbortSignal,
  reportError: (error: unknown) => void,
): Response {
  const cancel = new AbortController();
  const stop = (): void => cancel.abort(cancelled());
  clientGone.addEventListener("abort", stop, { once: true });
  if (clientGone.aborted) stop();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (event: BenchmarkImportEvent): void => {
        if (!cancel.signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
      };
      send(await runImport(run, send, cancel.signal, reportError));
      clientGone.removeEventListener("abort", stop);
      if (!cancel.signal.aborted) controller.close();
    },
    cancel: stop,
  });
  // Prevents proxies and Next's compression from buffering the lines.
  const headers = {
    "content-type": importEventsType,
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  };
  return new Response(body, { headers });
}

async function runImport(
  run: (options: ImportOptions) => Promise<ImportedBenchmarkRun>,
  send: (event: BenchmarkImportEvent) => void,
  signal: AbortSignal,
  reportError: (error: unknown) => void,
): Promise<BenchmarkImportEvent> {
  try {
    const imported = await run({ signal, onProgress: (progress) => send({ type: "progress", progress }) });
    return { type: "imported", imported };
  } catch (thrown) {
    const error = publicError(thrown);
    if (error.status >= 500 && !signal.aborted) reportError(thrown);
    return { type: "refused", message: error.message };
  }
}
