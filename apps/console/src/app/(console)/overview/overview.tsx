"use client";
import type { FiringAlert } from "@stashlight/contracts/alert";
import type { Role } from "@stashlight/contracts/user/roles";
import { TileGrid } from "@stashlight/ui/data";
import { Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useKnownVaults } from "../../../client/metrics/known-vaults.tsx";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { useTRPC } from "../../../client/trpc.tsx";
import { WhenNear } from "../../../client/when-near.tsx";
import { MetricPage } from "../charts/metric-page.tsx";
import { QueryError } from "../query-state.tsx";
import { MapsSkeleton } from "./maps-skeleton.tsx";

// Fetched as soon as this file runs, which is before the page is alive, so that figures do not come a round trip later.
const loading = Promise.all([
  import("./problems.tsx"),
  import("./vault-figures.tsx"),
  import("./overview-charts.tsx"),
]);
const Problems = lazy(async () => ({ default: (await loading)[0].Problems }));
const WritePathFigures = lazy(async () => ({ default: (await loading)[1].WritePathFigures }));
const OverviewCharts = lazy(async () => ({ default: (await loading)[2].OverviewCharts }));
const SpaceFigures = lazy(async () => ({ default: (await loading)[1].SpaceFigures }));
const FirstSteps = lazy(async () => ({ default: (await import("./first-steps.tsx")).FirstSteps }));
// Below the charts.
const VaultMaps = lazy(async () => ({ default: (await import("./vault-maps.tsx")).VaultMaps }));
const SlowestDevices = lazy(async () => ({
  default: (await import("./slowest-devices.tsx")).SlowestDevices,
}));
const StashHeadroomSection = lazy(async () => ({
  default: (await import("./stash-headroom.tsx")).StashHeadroomSection,
}));
const BenchmarkVerdicts = lazy(async () => ({
  default: (await import("./benchmark-verdicts.tsx")).BenchmarkVerdicts,
}));
const Installation = lazy(async () => ({ default: (await import("./installation.tsx")).Installation }));
const Activity = lazy(async () => ({ default: (await import("../activity.tsx")).Activity }));

const refetchMs = 10_000;
/** Two rows of tiles with their title. */
const FIGURES_PX = 262;
const CHARTS_PX = 226;

export function Overview({ role }: { role: Role }) {
  return (
    <MetricPage title="Overview">
      <OverviewBody role={role} />
    </MetricPage>
  );
}

function OverviewBody({ role }: { role: Role }) {
  const trpc = useTRPC();
  const { expressions } = usePageTime();
  const health = useQuery(trpc.health.read.queryOptions(undefined, { refetchInterval: refetchMs }));
  const firing = useQuery(
    trpc.alert.listFiring.queryOptions(undefined, { refetchInterval: refetchMs, select: onlyFiring }),
  );
  // The state of a vault comes before steps that are left to try.
  const hasVaults = useKnownVaults().length > 0;
  const steps = (
    <Suspense fallback={null}>
      <FirstSteps role={role} />
    </Suspense>
  );
  return (
    <>
      {health.data !== undefined && (
        <Suspense fallback={<Skeleton width="100%" height={44} />}>
          <Problems health={health.data} firing={firing.data ?? none} />
        </Suspense>
      )}
      {health.data === undefined && health.isError && (
        <QueryError
          what="The state of the installation"
          error={health.error}
          onRetry={() => void health.refetch()}
        />
      )}
      {health.isPending && <Skeleton width="100%" height={44} />}
      {!hasVaults && steps}
      <Suspense fallback={<Skeleton width="100%" height={FIGURES_PX} />}>
        <WritePathFigures />
      </Suspense>
      <Suspense fallback={<Skeleton width="100%" height={CHARTS_PX} />}>
        <OverviewCharts />
      </Suspense>
      {hasVaults && steps}
      <Suspense fallback={<MapsSkeleton />}>
        <VaultMaps />
      </Suspense>
      <WhenNear fallback={<Skeleton width="100%" height={136} />}>
        <SpaceFigures />
      </WhenNear>
      <WhenNear isCostly fallback={<CapacityToCome />}>
        <StashHeadroomSection />
      </WhenNear>
      <Suspense fallback={null}>
        <BenchmarkVerdicts />
      </Suspense>
      <WhenNear fallback={<Skeleton width="100%" height={196} />}>
        <SlowestDevices />
      </WhenNear>
      {health.data !== undefined && (
        <Suspense fallback={<FiguresSkeleton />}>
          <Installation health={health.data} updatedAtMs={health.dataUpdatedAt} />
        </Suspense>
      )}
      {health.isPending && <FiguresSkeleton />}
      <Suspense fallback={<Skeleton width="100%" height={300} />}>
        <Activity role={role} range={expressions} />
      </Suspense>
    </>
  );
}

/** No skeleton, since nothing is on its way. */
function CapacityToCome() {
  return (
    <Section title="Capacity">
      <p className="min-h-26 text-muted">Stash headroom is computed once this is in view.</p>
    </Section>
  );
}

function FiguresSkeleton() {
  return (
    <TileGrid>
      {["database", "worker", "jobs", "disk", "audit"].map((id) => (
        <Skeleton key={id} width="100%" height={104} />
      ))}
    </TileGrid>
  );
}

const none: FiringAlert[] = [];
const onlyFiring = (alerts: FiringAlert[]) => alerts.filter(({ status }) => status === "firing");
