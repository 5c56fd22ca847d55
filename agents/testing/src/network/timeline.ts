/** Clients' experience while a network was broken and after it was mended, from the requests of a load. */
import type { ObservedRequest } from "../harness/load-clients.ts";

export interface Outage {
  readonly brokenMs: number;
  readonly mendedMs: number;
}

export interface Experience {
  /** Requests that began while the network was broken. */
  readonly count: Readonly<Record<ObservedRequest["outcome"], number>>;
  readonly readsDone: number;
  readonly writesDone: number;
  /** Until a request was answered or given up, of all that ended after the network broke. */
  readonly slowestMs: number;
  /** The longest time in which no write was acknowledged, from the break on. */
  readonly pauseMs: number;
  /** From the mending until a write was acknowledged; null if none was. */
  readonly writesAgainMs: number | null;
  /** From the mending until the last request failed. */
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
