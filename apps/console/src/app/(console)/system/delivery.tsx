"use client";
import { processStaleSeconds } from "@stashlight/contracts/health";
import type { TelemetryHealth } from "@stashlight/contracts/node";
import { formatBytes, formatCount, formatSpan, lazyPart, type Status } from "@stashlight/ui";
import { Tile, TileGrid, Time } from "@stashlight/ui/data";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { formatSkew, skewWarningMs } from "../../../client/clocks.ts";
import { describeError } from "../../../client/errors.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";
import { summarise, withinVaults } from "./lag.ts";

const NodeTable = lazyPart(async () => (await import("./tables.tsx")).NodeTable);
const GapTable = lazyPart(async () => (await import("./tables.tsx")).GapTable);
const RefusedTable = lazyPart(async () => (await import("./tables.tsx")).RefusedTable);

const REFETCH_MS = 5_000;
const TILE_TITLES = {
  live: "Nodes live",
  lag: "Largest lag",
  spools: "In spools",
  skew: "Largest skew",
  refused: "Refused",
  ingest: "Ingest",
};

/** State of the delivery of agents' measurements. */
export function Delivery() {
  const trpc = useTRPC();
  const query = useQuery(trpc.health.telemetry.queryOptions(undefined, { refetchInterval: REFETCH_MS }));
  const { asked } = useScope();
  const { error } = query;
  const data = query.data === undefined ? undefined : withinVaults(query.data, asked);
  if (data === undefined) {
    if (query.isError)
      return <QueryError what="The state of delivery" error={error} onRetry={() => void query.refetch()} />;
    return (
      <>
        <TileGrid>
          {Object.values(TILE_TITLES).map((title) => (
            <Skeleton key={title} height={104} />
          ))}
        </TileGrid>
        <Skeleton height={420} />
      </>
    );
  }
  const nowMs = data.readAt.getTime();
  return (
    <>
      {query.isError && (
        <Callout status="warning" title="Out of date: the last reading failed">
          {describeError(error)}
        </Callout>
      )}
      <Tiles health={data} />
      <Section
        title="Which nodes lag?"
        description="The age of each node's newest stored window, and what waits on its disk."
      >
        <NodeTable health={data} nowMs={nowMs} fallback={<Skeleton height={320} />} />
      </Section>
      <div className="grid items-start gap-x-4 gap-y-8 xl:grid-cols-2">
        <Section title="What is missing, and why?">
          <GapTable rows={data.gaps} fallback={<Skeleton height={160} />} />
        </Section>
        <Section title="What was refused?">
          <RefusedTable rows={data.refused} fallback={<Skeleton height={160} />} />
        </Section>
      </div>
    </>
  );
}

function Tiles({ health }: { health: TelemetryHealth }) {
  const { activeCount, liveCount, simulatedCount, lagMsMax, spoolBytes, skewMsMax, refusedCount } = summarise(
    health.nodes,
    health.readAt.getTime(),
  );
  const shared = { age: <Time value={health.readAt} show="age" /> };
  const warnIf = (is: boolean): Status => (is ? "warning" : "good");
  const residentBytes = health.ingests.reduce((sum, { rssBytes }) => sum + rssBytes, 0);
  return (
    <TileGrid>
      <Tile
        {...shared}
        title={TILE_TITLES.live}
        value={activeCount === 0 ? null : `${formatCount(liveCount)} of ${formatCount(activeCount)}`}
        missing="no node is active"
        statistic={simulatedCount === 0 ? undefined : `${formatCount(simulatedCount)} are simulated`}
        status={activeCount === 0 ? "unknown" : warnIf(liveCount < activeCount)}
      />
      <Tile
        {...shared}
        title={TILE_TITLES.lag}
        value={lagMsMax === null ? null : formatSpan(lagMsMax)}
        statistic="since a node's newest window"
        missing="nothing has been sent yet"
      />
      <Tile
        {...shared}
        title={TILE_TITLES.spools}
        value={formatBytes(spoolBytes)}
        statistic="wait on the nodes' disks"
      />
      <Tile
        {...shared}
        title={TILE_TITLES.skew}
        value={skewMsMax === null ? null : formatSkew(skewMsMax).replace("+", "±")}
        statistic="of a node's clock"
        missing="no clock has been compared yet"
        status={skewMsMax === null ? "unknown" : warnIf(skewMsMax > skewWarningMs)}
      />
      <Tile
        {...shared}
        title={TILE_TITLES.refused}
        value={formatCount(refusedCount)}
        statistic="values in total"
        status={warnIf(refusedCount > 0)}
      />
      <Tile
        {...shared}
        title={TILE_TITLES.ingest}
        value={health.ingests.length === 0 ? null : formatCount(health.ingests.length)}
        unit={health.ingests.length === 1 ? "process" : "processes"}
        statistic={`seen in the last ${processStaleSeconds} s, ${formatBytes(residentBytes)} of memory`}
        missing="no process is running"
        status={health.ingests.length === 0 ? "bad" : "good"}
      />
    </TileGrid>
  );
}
