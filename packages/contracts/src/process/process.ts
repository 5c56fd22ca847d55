/**
 * Messages of a process to its supervisor, `npm start`, over the channel that Node opens for it. A process started
 * otherwise has no channel: it reports to no supervisor, and does not end with one.
 */
export type ProcessReport = { type: "ready" } | { type: "failed"; message: string };

/** Reports that this process now accepts requests or jobs. */
export function reportReady(): void {
  send({ type: "ready" });
}

/** Reports in one sentence why this process cannot work; it then ends with exit code 1. */
export function reportFailed(message: string): void {
  process.exitCode = 1;
  if (!process.connected) {
    process.stderr.write(`${message}\n`);
    process.exit();
  }
  send({ type: "failed", message }, () => process.exit());
}

/**
 * The handler finishes the work in progress and ends the process. It is called once, when the supervisor requests it or
 * has ended; a supervisor kills a process that takes too long.
 */
export function onSupervisorGone(handler: () => void): void {
  if (process.send === undefined) return;
  if (process.connected) process.once("disconnect", handler);
  else handler();
}

export interface Stopping {
  /** Finishes the work in progress. Called only once, with the source of the first stop request. */
  readonly stop: (reason: string) => Promise<void>;
  /** Time after which the process ends with work unfinished. */
  readonly withinMs?: number;
}

/** Ends the process gracefully when its supervisor requests it or has ended, and on SIGTERM and SIGINT. */
export function onStop({ stop, withinMs }: Stopping): void {
  let isStopping = false;
  const begin = (reason: string): void => {
    if (isStopping) return;
    isStopping = true;
    if (withinMs !== undefined) setTimeout(() => process.exit(0), withinMs).unref();
    void stop(reason).then(() => process.exit(0));
  };
  onSupervisorGone(() => begin("the supervisor requested it or is gone"));
  process.once("SIGTERM", () => begin("SIGTERM"));
  process.once("SIGINT", () => begin("SIGINT"));
}

function send(report: ProcessReport, whenSent: () => void = () => {}): void {
  process.send?.(report, undefined, undefined, whenSent);
}
