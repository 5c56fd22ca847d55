/**
 * Processes that `npm start` keeps running: which of them keep failing, and which features are missing until they
 * recover.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  headlineFigures,
  type PartState,
  type PartsState,
  parseParts,
  partsFileName,
} from "@stashlight/contracts/health";
import type { Core } from "../core.ts";
import { thrownCode } from "../thrown.ts";
import type { Finding } from "./finding.ts";

const supervisedElsewhere: Finding = {
  state: "unknown",
  sentence: "npm start does not run this console; the service manager that does restarts its processes.",
  figures: [],
};

/** Parts that have failed and do not run yet; null if `npm start` does not run this console. */
export async function readPartsAway(options: Core["options"]): Promise<readonly PartState[] | null> {
  return (await readSupervised(options))?.parts.filter(isAway) ?? null;
}

const isAway = ({ isReady, failureCount }: PartState): boolean => !isReady && failureCount > 0;

async function readSupervised({ dataDirectory }: Core["options"]): Promise<PartsState | null> {
  const state = dataDirectory === null ? null : await readParts(dataDirectory);
  return state === null || !isAlive(state.supervisorPid) ? null : state;
}

export async function checkSupervision({ options, now }: Core): Promise<Finding> {
  const state = await readSupervised(options);
  if (state === null) return supervisedElsewhere;
  const { parts } = state;
  const failing = parts.filter(({ failingSinceMs }) => failingSinceMs !== null);
  const away = parts.filter(isAway);
  const nowMs = now().getTime();
  return {
    state: failing.length > 0 ? "bad" : away.length > 0 ? "warning" : "good",
    sentence: describeParts(parts, failing, away),
    figures: [
      { name: headlineFigures.supervision, value: parts.length, unit: "count" },
      ...parts.flatMap((part) => failureFigures(part, nowMs)),
    ],
  };
}

function describeParts(
  parts: readonly PartState[],
  failing: readonly PartState[],
  away: readonly PartState[],
): string {
  if (failing.length > 0) return failing.map(describeFailing).join(" ");
  const [first] = away;
  if (first) return `Being restarted: ${first.name} (${failureReason(first)}).`;
  const restarted = parts.filter(({ failureCount }) => failureCount > 0).map(({ name }) => name);
  return restarted.length === 0
    ? "No process has failed since npm start."
    : `All processes are running; restarted since npm start: ${restarted.join(", ")}.`;
}

function describeFailing(part: PartState): string {
  const { name, logFile, consequence, isReady } = part;
  const reason = failureReason(part);
  const advice = logFile === null || reason.includes(logFile) ? "" : ` See ${logFile}.`;
  const state = isReady ? " It is running at the moment." : consequence === null ? "" : ` ${consequence}`;
  return `Failing and restarted again and again: ${name} (${reason}).${advice}${state}`;
}

const failureReason = ({ lastFailure }: PartState): string =>
  (lastFailure?.reason ?? "no reason is known").replace(/\.$/, "");

function failureFigures({ name, failureCount, failingSinceMs, lastFailure }: PartState, nowMs: number) {
  if (failureCount === 0) return [];
  const secondsAgo = (atMs: number) => Math.max(0, (nowMs - atMs) / 1000);
  const figures: Finding["figures"] = [{ name: `${name}, failures`, value: failureCount, unit: "count" }];
  if (lastFailure !== null)
    figures.push({ name: `${name}, last failure`, value: secondsAgo(lastFailure.atMs), unit: "seconds-ago" });
  if (failingSinceMs !== null)
    figures.push({ name: `${name}, failing for`, value: secondsAgo(failingSinceMs), unit: "seconds" });
  return figures;
}

/** Returns null if there is no file. A file that is unreadable for another reason fails the check. */
async function readParts(dataDirectory: string): Promise<PartsState | null> {
  try {
    return parseParts(await readFile(join(dataDirectory, partsFileName), "utf8"));
  } catch (error) {
    if (thrownCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** A supervisor that was killed leaves its file behind. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return thrownCode(error) === "EPERM";
  }
}
