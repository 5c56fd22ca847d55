/** Formats a round of `vault drill full` for a terminal. */
import { computePercentiles } from "../percentiles.ts";
import { counted, formatCount, formatMs, formatSize } from "../units.ts";
import type { Verification } from "../verify/verification.ts";
import type { Fill } from "./full-steps.ts";

export interface Kill {
  readonly names: readonly string[];
  /** Deletes acknowledged before the kill. */
  readonly afterCount: number;
  readonly deleteCount: number;
  /** From the kill until uploads are accepted. */
  readonly recoveryMs: number;
}

export interface FullRound {
  readonly first: Fill;
  /** Taken after half of the objects were deleted. */
  readonly second: Fill;
  readonly kill: Kill;
  readonly fullDeletesMs: readonly number[];
  readonly halfDeletesMs: readonly number[];
  /** From the last delete to the first accepted upload. */
  readonly firstUploadMs: number;
  readonly peakResidentBytes: ReadonlyMap<string, number>;
  readonly verifications: readonly Verification[];
  readonly wrongAnswers: readonly string[];
}

export function renderFullRound(
  round: FullRound,
  { title, sizeBytes }: { readonly title: string; readonly sizeBytes: number },
): string[] {
  const { first, second, kill, firstUploadMs, verifications, peakResidentBytes } = round;
  const fills = [first, second];
  const stored = fills.map(({ storedCount, storedBytes }) => {
    return `${counted(storedCount, "object")} (${formatMb(storedBytes)})`;
  });
  const busyCount = sumValues(fills.map((fill) => fill.busyCount));
  const refusalsMs = fills.flatMap((fill) => fill.refusalsMs);
  const right = sumValues(verifications.map(({ rightCount }) => rightCount));
  const absent = sumValues(verifications.map(({ absentCount }) => absentCount));
  const lost = sumValues(verifications.map((each) => each.lost.length));
  const wrong = sumValues(verifications.map((each) => each.wrong.length));
  const memory = [...peakResidentBytes].map(([name, bytes]) => `${name} ${formatMb(bytes)}`);
  return [
    `${title}: full after ${stored.join(", and again after ")} of ${formatSize(sizeBytes)}.`,
    line("refusals", `${formatLatency(refusalsMs)}, ${counted(busyCount, "answer")} SlowDown`),
    line(
      "kill -9",
      `${kill.names.join(", ")} after ${formatCount(kill.afterCount)} of ${counted(kill.deleteCount, "delete")}, back in ${formatMs(kill.recoveryMs)}`,
    ),
    line(
      "space",
      second.spaceBackMs === null
        ? `not freed in time: ${counted(second.storedCount, "object")} for ${counted(kill.deleteCount, "delete")}`
        : `freed for nine tenths of the deletes in ${formatMs(second.spaceBackMs)}, uploads included`,
    ),
    line(
      "deletes",
      `full ${formatLatency(round.fullDeletesMs)}; half full ${formatLatency(round.halfDeletesMs)}`,
    ),
    line("emptied", `first upload accepted ${formatMs(firstUploadMs)} after the last delete`),
    line("memory", memory.join("  ")),
    line(
      "verified",
      `${formatCount(right)} right, ${formatCount(lost)} lost, ${formatCount(wrong)} wrong, ${counted(absent, "deletion")} kept`,
    ),
  ];
}

const line = (name: string, text: string): string => `  ${name.padEnd(9)} ${text}`;

function formatLatency(valuesMs: readonly number[]): string {
  const found = computePercentiles(valuesMs);
  if (found === null) return "none";
  return `p50 ${formatMs(found.p50)}  p99 ${formatMs(found.p99)}  (n = ${formatCount(found.sampleCount)})`;
}

const formatMb = (bytes: number): string => `${formatCount(bytes / 1e6)} MB`;

const sumValues = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
