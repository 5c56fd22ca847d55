import type { HealthState, Outgrown } from "@stashlight/contracts/health";
import { onePostgresMarks } from "@stashlight/contracts/thresholds";
import { HOUR_SECONDS } from "@stashlight/contracts/time";
import { RETENTION_MS } from "@stashlight/db/metrics";
import { type Context, requireRole } from "../../context.ts";
import { describeForecast } from "./describe-forecast.ts";
import { lowerMedian, outgrownFigures } from "./figures.ts";
import { forecast } from "./forecast.ts";
import { readSources, type Sources } from "./sources.ts";

/** Forecasts when this installation outgrows one Postgres, and the next storage profile. */
export async function readOutgrown({ ctx }: { ctx: Context }): Promise<Outgrown> {
  requireRole(ctx, "viewer");
  const readAt = ctx.platform.now();
  return judgeOutgrown(await readSources(ctx.platform), readAt);
}

export function judgeOutgrown(sources: Sources, readAt: Date): Outgrown {
  const { profile, lagsSeconds } = sources;
  const told = foretell(sources, readAt.getTime());
  const lagSeconds = lowerMedian(lagsSeconds ?? []) ?? 0;
  const isLate = lagSeconds > onePostgresMarks.rollUpLateSeconds;
  const late = `The roll-up is ${Math.floor(lagSeconds / HOUR_SECONDS)} h behind: check that a worker is running; if one is, this server is too slow.`;
  return {
    readAt,
    profile,
    state: isLate ? "warning" : told.state,
    sentence: [told.sentence, ...(isLate ? [late] : []), ...describeUnread(sources)].join(" "),
    figures: outgrownFigures(sources, readAt.getTime()),
  };
}

function foretell(sources: Sources, nowMs: number): { state: HealthState; sentence: string } {
  const { profile, nodes, rate, sizes, disk } = sources;
  if (nodes === null || profile === null) {
    const what = nodes === null ? "inventory of nodes" : "storage profile";
    return { state: "unknown", sentence: `No forecast: the ${what} could not be read.` };
  }
  const found = forecast({
    nowMs,
    profile,
    lifetimes: nodes.lifetimes,
    retentionMs: RETENTION_MS,
    disk: disk ?? null,
    rowsPerSecondOfNode: rate?.nodeCount ? rate.rowsPerSecond / rate.nodeCount : null,
    // Data of simulated nodes cannot be separated from that of others.
    bytes: nodes.simulatedCount > 0 ? null : sizes,
  });
  return describeForecast(found, profile, nowMs);
}

/** Returns a sentence for each source that was missing for the forecast. */
function describeUnread({ profile, nodes, rate, sizes, lagsSeconds, disk }: Sources): string[] {
  if (nodes === null || profile === null) return [];
  return [
    ...(rate === null
      ? ["The rows per second could not be read, so the forecast leaves out their limit."]
      : []),
    ...(sizes === null
      ? ["The tables' sizes could not be read, so the forecast leaves out their limits."]
      : []),
    ...(disk === null ? ["The disk could not be read, so the forecast leaves out its free space."] : []),
    ...(lagsSeconds === null ? ["How far the roll-up is behind could not be read."] : []),
  ];
}
