/**
 * Reads imported files, each on a separate thread, so that a read can be cancelled and its memory is freed with the
 * thread.
 */
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { ImportInput, ImportProgress } from "@stashlight/benchmark-formats";
import { StashlightError } from "@stashlight/contracts/errors";
import type { ImportMessage } from "./import-thread.ts";
import type { PreparedImport } from "./read-import.ts";

/** Number of concurrent reads; each may use HEAP_MB_MAX of memory. */
export const filesAtOnceMax = 2;
/** The longest file in a format that must be read as a whole needs two thirds of this. */
const HEAP_MB_MAX = 512;

export interface ReadFileOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

export class FileReader {
  readonly #threads = new Set<Worker>();

  get readingCount(): number {
    return this.#threads.size;
  }

  /** Transfers the memory of `input.bytes`. Rejects with the signal's reason once aborted. */
  async read(input: ImportInput, { signal, onProgress }: ReadFileOptions = {}): Promise<PreparedImport> {
    signal?.throwIfAborted();
    if (this.#threads.size >= filesAtOnceMax) {
      throw new StashlightError(
        "unavailable",
        `${filesAtOnceMax} other files are being imported. Try again when one of them is done.`,
        { retryAfterSeconds: 10 },
      );
    }
    const bytes = ownBytes(input.bytes);
    const thread = new Worker(join(import.meta.dirname, "import-thread.ts"), {
      workerData: { ...input, bytes },
      transferList: [bytes.buffer],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    });
    this.#threads.add(thread);
    try {
      return await waitForResult(thread, signal, onProgress);
    } finally {
      await thread.terminate();
      this.#threads.delete(thread);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }
}

/** Node allocates small buffers from a shared pool, which must not be transferred. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
  return isWhole ? new Uint8Array(buffer) : Uint8Array.from(bytes);
}

function waitForResult(
  thread: Worker,
  signal: AbortSignal | undefined,
  onProgress: ReadFileOptions["onProgress"],
): Promise<PreparedImport> {
  const { promise, resolve, reject } = Promise.withResolvers<PreparedImport>();
  const abort = (): void => reject(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  thread.on("message", (message: ImportMessage) => {
    if (message.type === "read") resolve(message.result);
    else onProgress?.(message.progress);
  });
  thread.on("error", (error: NodeJS.ErrnoException) => {
    const isTooLarge = error.code === "ERR_WORKER_OUT_OF_MEMORY";
    reject(isTooLarge ? tooMuchMemory() : error);
  });
  thread.on("exit", () => reject(new Error("The thread that reads an imported file ended.")));
  return promise.finally(() => signal?.removeEventListener("abort", abort));
}

function tooMuchMemory(): StashlightError {
  return new StashlightError(
    "invalid_input",
    "The file is too large to be read as a whole. Export the run as CSV, or split the file.",
    { field: "file" },
  );
}
