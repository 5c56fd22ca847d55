"use client";
import { formatQuantity } from "@stashlight/ui/chart";
import { Tile, TileGrid, Time } from "@stashlight/ui/data";
import { Skeleton } from "@stashlight/ui/feedback";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { describeOrigin, isStale } from "../../../client/metrics/to-chart.ts";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { statusOfFill, statusOfTimeToFull } from "../charts/limits.ts";
import { formatTimeToFull, lastOf, occupancySources, readOccupancy } from "../charts/occupancy.ts";
import { QueryError } from "../query-state.tsx";

const NOT_REPORTED = "not reported yet";

/** The stash in four figures, at the end of the page's time. */
export function StashFigures() {
  const { nowMs, isLive } = usePageTime();
  const { answers, error, retry } = useMetrics([
    ...occupancySources(),
    { metric: "stashlight_stash_oldest_unpurged_seconds", across: "max" },
    { metric: "stashlight_stash_free_segments", across: "min" },
  ]);
  if (answers === undefined) {
    if (error !== null) return <QueryError what="The state of the stash" error={error} onRetry={retry} />;
    return (
      <TileGrid>
        {["occupied", "full", "oldest", "free"].map((id) => (
          <Skeleton key={id} height={104} />
        ))}
      </TileGrid>
    );
  }
  const { usedBytes, capacityBytes, timeToFull } = readOccupancy(answers);
  const { newestMs, caveats } = describeOrigin(answers);
  const oldest = lastOf(answerTo(answers, "stashlight_stash_oldest_unpurged_seconds"));
  const free = lastOf(answerTo(answers, "stashlight_stash_free_segments"));
  const fill = usedBytes === null || capacityBytes === null ? null : usedBytes / capacityBytes;
  const shared = {
    age: newestMs === null ? undefined : <Time value={newestMs} show="relative" />,
    source: caveats.length > 0 ? caveats.join(", ") : undefined,
    stale: isLive && isStale(newestMs, nowMs, answers[0]?.stepMs ?? 0),
    missing: NOT_REPORTED,
  };
  const used = usedBytes === null ? null : formatQuantity("bytes", usedBytes);
  return (
    <TileGrid>
      <Tile
        {...shared}
        title="Occupied"
        value={fill === null ? null : (fill * 100).toFixed(1)}
        unit="%"
        statistic={used === null ? undefined : `${used.value} ${used.unit} used`}
        status={statusOfFill(fill)}
      />
      <Tile
        {...shared}
        title="Time to full"
        {...formatTimeToFull(timeToFull)}
        statistic="at the growth of live bytes in the range"
        status={statusOfTimeToFull(timeToFull)}
      />
      <Tile
        {...shared}
        title="Oldest unpurged shard"
        {...(oldest === null ? { value: null } : formatQuantity("seconds", oldest))}
        statistic="of any device"
      />
      <Tile
        {...shared}
        title="Free segments"
        value={free === null ? null : String(Math.round(free))}
        statistic="fewest of any device"
      />
    </TileGrid>
  );
}
