/**
 * Threads that examine runs, one at a time each. A thread that does not answer in time is ended and reported as hung.
 */
import { Worker } from "node:worker_threads";
import type { Task, TaskResult, WorkerSettings } from "./worker.ts";

/** A run has at most two million events, which take seconds, or a minute on a busy machine. */
const HANG_AFTER_MS = 180_000;

export class HangError extends Error {}

export class SimulationThread {
  readonly #worker: Worker;
  #failed: Error | null = null;

  constructor(settings: WorkerSettings) {
    this.#worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: settings });
    this.#worker.on("error", (error) => {
      this.#failed = error instanceof Error ? error : new Error(String(error));
    });
  }

  async do<T extends Task["type"]>(task: Extract<Task, { type: T }>): Promise<TaskResult<T>> {
    if (this.#failed) throw this.#failed;
    return new Promise<TaskResult<T>>((resolve, reject) => {
      const worker = this.#worker;
      const end = () => {
        clearTimeout(timer);
        worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      };
      const onMessage = (result: TaskResult<T>) => {
        end();
        resolve(result);
      };
      const onError = (error: unknown) => {
        end();
        reject(error);
      };
      const onExit = () => onError(new HangError("The thread was ended."));
      const timer = setTimeout(() => {
        end();
        reject(new HangError(`A run did not end within ${HANG_AFTER_MS / 1000} seconds.`));
        void worker.terminate();
      }, HANG_AFTER_MS);
      worker.on("message", onMessage).on("error", onError).on("exit", onExit);
      worker.postMessage(task);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
