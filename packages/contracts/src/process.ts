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

function send(report: ProcessReport, whenSent: () => void = () => {}): void {
  process.send?.(report, undefined, undefined, whenSent);
}
