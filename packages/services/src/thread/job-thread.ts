/**
 * A thread for work that takes too long for a process that serves requests: jobs in, results or errors out. It starts
 * with the first job, keeps the process alive only while a caller waits, and is replaced if it is lost.
 */
import { Worker } from "node:worker_threads";

type Answer<Result> = { readonly id: number } & ({ readonly result: Result } | { readonly failure: string });

export class JobThread<Job, Result> {
  readonly #file: string;
  readonly #purpose: string;
  readonly #waiting = new Map<number, PromiseWithResolvers<Result>>();
  #thread: Worker | null = null;
  #jobCount = 0;

  /** `file` calls `serveJobs`; `purpose` completes the phrase "The thread that". */
  constructor(file: string, purpose: string) {
    this.#file = file;
    this.#purpose = purpose;
  }

  run(job: Job): Promise<Result> {
    this.#thread ??= this.#start();
    this.#jobCount += 1;
    const id = this.#jobCount;
    const waiting = Promise.withResolvers<Result>();
    this.#waiting.set(id, waiting);
    this.#thread.ref();
    this.#thread.postMessage({ id, job });
    return waiting.promise;
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(this.#file);
    thread.on("message", (answer: Answer<Result>) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if ("failure" in answer) waiting?.reject(new Error(answer.failure));
      else waiting?.resolve(answer.result);
      if (this.#waiting.size === 0) thread.unref();
    });
    const lose = (error: Error): void => {
      if (this.#thread !== thread) return;
      this.#thread = null;
      for (const waiting of this.#waiting.values()) waiting.reject(error);
      this.#waiting.clear();
    };
    thread.on("error", lose);
    thread.on("exit", () => lose(new Error(`The thread that ${this.#purpose} ended.`)));
    return thread;
  }
}
