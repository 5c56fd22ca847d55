"use client";
import type { Outgrown as Found } from "@stashlight/contracts/health";
import { useNow } from "@stashlight/ui";
import { Tile, TileGrid, Time } from "@stashlight/ui/data";
import { Skeleton, StatusDot } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { outgrownTile } from "../../../client/outgrown.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";

/** Rare, because the forecast changes daily and reads the sizes of all tables. */
const REFETCH_MS = 5 * 60_000;

/** Forecast of when the metric store outgrows a single Postgres. */
export function Outgrown() {
  const trpc = useTRPC();
  const query = useQuery(trpc.health.outgrown.queryOptions(undefined, { refetchInterval: REFETCH_MS }));
  return (
    <Section
      title="When is one Postgres outgrown?"
      description="Assumes that the number of nodes grows as in the last year, and that each measures as much as today."
    >
      {query.data !== undefined ? (
        <Answer found={query.data} />
      ) : query.isError ? (
        <QueryError what="The forecast of growth" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton height={0} className="min-h-[457px] sm:min-h-[397px] lg:min-h-[290px]" />
      )}
    </Section>
  );
}

function Answer({ found }: { found: Found }) {
  const readAtMs = found.readAt.getTime();
  const stale = (useNow(1_000) ?? readAtMs) - readAtMs > 3 * REFETCH_MS;
  return (
    <>
      <p className="grid grid-cols-[84px_minmax(0,1fr)] items-baseline gap-x-3">
        <StatusDot status={found.state} />
        <span className="max-w-[88ch] text-pretty text-ink">{found.sentence}</span>
      </p>
      {/* Three columns, so that six tiles fill whole rows. */}
      <TileGrid className="lg:grid-cols-3">
        {found.figures.map((figure) => (
          <Tile
            key={figure.name}
            title={figure.name}
            missing={figure.missing}
            n={figure.sampleCount}
            age={<Time value={found.readAt} show="age" />}
            source={figure.source}
            stale={stale}
            {...outgrownTile(figure)}
          />
        ))}
      </TileGrid>
    </>
  );
}
