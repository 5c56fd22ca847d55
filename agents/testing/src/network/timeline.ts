/** Computes clients' experience during and after a network fault from the requests of a load. */
import type { ObservedRequest } from "../harness/load-clients.ts";

export interface Outage {
  readonly brokenMs: number;
  readonly mendedMs: number;
}

export interface Experience {
  /** Requests that began during the fault. */
  readonly count: Readonly<Record<ObservedRequest["outcome"], number>>;
  readonly readsDone: number;
  readonly writesDone: number;
  /** Longest time until a request was answered or abandoned, among those that ended after the fault began. */
  readonly slowestMs: number;
  /** Longest time without an acknowledged write, from the fault on. */
  readonly pauseMs: number;
  /** Time from the repair until a write was acknowledged; null if none was. */
  readonly writesAgainMs: number | null;
  /** Time from the repair until the last request failed. */
  readonly lastFailureMs: number;
}

export function summariseExperience(
  requests: readonly ObservedRequest[],
  { brokenMs, mendedMs }: Outage,
): Experience {
  const during = requests.filter(({ startedMs }) => startedMs >= brokenMs && startedMs < mendedMs);
  const countOutcome = (outcome: ObservedRequest["outcome"]) =>
    during.filter((request) => request.outcome === outcome).length;
  const isDone = (verb: ObservedRequest["verb"]) => (request: ObservedRequest) =>
    request.verb === verb && request.outcome === "done";
  const writeEnds = requests
    .filter(isDone("write"))
    .map(({ endedMs }) => endedMs)
    .filter((endedMs) => endedMs >= brokenMs)
    .sort((a, b) => a - b);
  const firstAfter = writeEnds.find((endedMs) => endedMs >= mendedMs);
  const failures = requests.filter(({ outcome, endedMs }) => outcome !== "done" && endedMs > mendedMs);
  return {
    count: {
      done: countOutcome("done"),
      refused: countOutcome("refused"),
      unreachable: countOutcome("unreachable"),
      failed: countOutcome("failed"),
    },
    readsDone: during.filter(isDone("read")).length,
    writesDone: during.filter(isDone("write")).length,
    slowestMs: Math.max(
      0,
      ...requests
        .filter(({ endedMs }) => endedMs >= brokenMs)
        .map(({ startedMs, endedMs }) => endedMs - startedMs),
    ),
    pauseMs: Math.max(0, ...writeEnds.map((endedMs, at) => endedMs - (writeEnds[at - 1] ?? brokenMs))),
    writesAgainMs: firstAfter === undefined ? null : firstAfter - mendedMs,
    lastFailureMs: Math.max(0, ...failures.map(({ endedMs }) => endedMs - mendedMs)),
  };
}

export function describeExperience(
  { count, slowestMs, pauseMs, writesAgainMs, lastFailureMs, readsDone, writesDone }: Experience,
  { brokenMs, mendedMs }: Outage,
  wholeMs: number,
): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const failures = `${count.refused} answered 503, ${count.unreachable} without an answer`;
  const during = `in ${seconds(mendedMs - brokenMs)} ${writesDone} writes and ${readsDone} reads done, ${failures}, longest pause of writes ${seconds(pauseMs)}, slowest request ${seconds(slowestMs)}`;
  const again = writesAgainMs === null ? "no write" : `writes after ${seconds(writesAgainMs)}`;
  return `${during}; then ${again}, last failure after ${seconds(lastFailureMs)}, all connected after ${seconds(wholeMs)}`;
}
