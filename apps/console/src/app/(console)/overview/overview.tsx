"use client";
import type { FiringAlert } from "@stashlight/contracts/alert";
import type { Role } from "@stashlight/contracts/user";
import { lazyPart } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { TileGrid } from "@stashlight/ui/tile-grid";
import { useQuery } from "@tanstack/react-query";
import { FIRING_REFETCH_MS } from "../../../client/firing-count.ts";
import { useKnownVaults } from "../../../client/metrics/known-vaults.tsx";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { WhenNear } from "../../../client/when-near.tsx";
import { MetricPage } from "../charts/metric-page.tsx";
import { QueryError } from "../query-state.tsx";
import { CapacitySection } from "./capacity-section.tsx";
import { MapsSkeleton } from "./maps-skeleton.tsx";

const Problems = lazyPart(async () => (await import("./problems.tsx")).Problems);
const WritePathFigures = lazyPart(async () => (await import("./vault-figures.tsx")).WritePathFigures);
const OverviewCharts = lazyPart(async () => (await import("./overview-charts.tsx")).OverviewCharts);
for (const part of [Problems, WritePathFigures, OverviewCharts]) part.preload();
const SpaceFigures = lazyPart(async () => (await import("./vault-figures.tsx")).SpaceFigures);
const FirstSteps = lazyPart(async () => (await import("./first-steps.tsx")).FirstSteps);
// Loaded later, because they are below the charts.
const OneVaultMap = lazyPart(async () => (await import("./vault-maps.tsx")).OneVaultMap);
const VaultMaps = lazyPart(async () => (await import("./vault-maps.tsx")).VaultMaps);
const SlowestDevices = lazyPart(async () => (await import("./slowest-devices.tsx")).SlowestDevices);
const StashHeadroom = lazyPart(async () => (await import("./stash-headroom.tsx")).StashHeadroomSection);
const BenchmarkVerdicts = lazyPart(async () => (await import("./benchmark-verdicts.tsx")).BenchmarkVerdicts);
const Installation = lazyPart(async () => (await import("./installation.tsx")).Installation);
const Activity = lazyPart(async () => (await import("../activity.tsx")).Activity);

const refetchMs = 5_000;
const PROBLEM_PX = 44;
/** Height of a title and two rows of tiles. */
const FIGURES_PX = 262;
/** Height of a title and one vault's sentence. */
const DURABILITY_PX = 148;
const CHARTS_PX = 294;
const problemsPlace = <Skeleton width="100%" height={PROBLEM_PX} />;
const spacePlace = <Skeleton width="100%" height={FIGURES_PX + DURABILITY_PX} />;
const devicesPlace = <Skeleton width="100%" height={196} />;

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
    trpc.alert.listFiring.queryOptions(undefined, { refetchInterval: FIRING_REFETCH_MS, select: onlyFiring }),
  );
  // With vaults, their state comes before the remaining steps.
  const hasVaults = useKnownVaults().length > 0;
  const steps = <FirstSteps role={role} />;
  const hasManyVaults = useScope().vaults.length > 1;
  const charts = <OverviewCharts fallback={<Skeleton width="100%" height={CHARTS_PX} />} />;
  return (
    <>
      {health.data !== undefined && (
        <Problems
          health={health.data}
          firing={firing.isError ? (firing.data ?? null) : firing.data}
          fallback={problemsPlace}
        />
      )}
      {health.data === undefined && health.isError && (
        <QueryError
          what="The state of the installation"
          error={health.error}
          onRetry={() => void health.refetch()}
        />
      )}
      {health.isPending && problemsPlace}
      {!hasVaults && steps}
      <WritePathFigures fallback={<Skeleton width="100%" height={FIGURES_PX} />} />
      {hasManyVaults ? (
        <>
          {charts}
          <VaultMaps fallback={<MapsSkeleton />} />
        </>
      ) : (
        <div className="grid gap-3 xl:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
          {charts}
          <OneVaultMap fallback={<Skeleton width="100%" height={CHARTS_PX} />} />
        </div>
      )}
      {hasVaults && steps}
      <WhenNear fallback={spacePlace}>
        <SpaceFigures fallback={spacePlace} />
      </WhenNear>
      <WhenNear isCostly fallback={<CapacityToCome />}>
        <StashHeadroom fallback={<CapacityToCome />} />
      </WhenNear>
      <BenchmarkVerdicts />
      <WhenNear fallback={devicesPlace}>
        <SlowestDevices fallback={devicesPlace} />
      </WhenNear>
      {health.data !== undefined && (
        <Installation
          health={health.data}
          updatedAtMs={health.dataUpdatedAt}
          fallback={<FiguresSkeleton />}
        />
      )}
      {health.isPending && <FiguresSkeleton />}
      <Activity role={role} range={expressions} fallback={<Skeleton width="100%" height={300} />} />
    </>
  );
}

/** Text instead of a skeleton, because nothing is being loaded yet. */
function CapacityToCome() {
  return (
    <CapacitySection>
      <p className="text-muted">Stash headroom is computed once this is in view.</p>
    </CapacitySection>
  );
}

function FiguresSkeleton() {
  return (
    <TileGrid>
      {["database", "worker", "jobs", "disk", "audit", "supervision"].map((id) => (
        <Skeleton key={id} width="100%" height={104} />
      ))}
    </TileGrid>
  );
}

const onlyFiring = (alerts: FiringAlert[]) => alerts.filter(({ status }) => status === "firing");
