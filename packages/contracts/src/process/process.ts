/**
 * What a process that `npm start` supervises says to its supervisor, over the channel Node opens for it. A process
 * started by anything else has no channel: it then reports to nobody, and nobody's end ends it.
 */
export type ProcessReport = { type: "ready" } | { type: "failed"; message: string };

/** Say once that requests or jobs are taken from here on. */
export function reportReady(): void {
  send({ type: "ready" });
}

/** Say in one sentence why this process cannot work; it then ends with exit code 1. */
export function reportFailed(message: string): void {
  process.exitCode = 1;
  if (!process.connected) {
    process.stderr.write(`${message}\n`);
    process.exit();
  }
  send({ type: "failed", message }, () => process.exit());
}

/**
 * The handler finishes what is under way and ends the process. It is called once, when the supervisor asks for it or
 * is gone; a supervisor that is tired of waiting kills.
 */
export function onSupervisorGone(handler: () => void): void {
  if (process.send === undefined) return;
  if (process.connected) process.once("disconnect", handler);
  else handler();
}

export interface Stopping {
  /** Finishes what is under way. Called once, with who asked first, however many ask. */
  readonly stop: (reason: string) => Promise<void>;
  /** After this the process ends with whatever is left undone. */
  readonly withinMs?: number;
}

/** Ends the process in order when its supervisor asks or is gone, and on SIGTERM and SIGINT. */
export function onStop({ stop, withinMs }: Stopping): void {
  let isStopping = false;
  const begin = (reason: string): void => {
    if (isStopping) return;
    isStopping = true;
    if (withinMs !== undefined) setTimeout(() => process.exit(0), withinMs).unref();
    void stop(reason).then(() => process.exit(0));
  };
  onSupervisorGone(() => begin("the supervisor asked or is gone"));
  process.once("SIGTERM", () => begin("SIGTERM"));
  process.once("SIGINT", () => begin("SIGINT"));
}

function send(report: ProcessReport, whenSent: () => void = () => {}): void {
  process.send?.(report, undefined, undefined, whenSent);
}
