"use client";
import type { FiringAlert, HealthCheck, Role, SystemHealth } from "@stashlight/contracts";
import { useNow } from "@stashlight/ui";
import { Tile, TileGrid, Time } from "@stashlight/ui/data";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { severityStatus } from "../../../client/alerts.ts";
import { formatFigure, sayAllIsWell, worstFirst } from "../../../client/figures.ts";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { useTRPC } from "../../../client/trpc.tsx";
import { WhenNear } from "../../../client/when-near.tsx";
import { MetricPage } from "../charts/metric-page.tsx";
import { QueryError } from "../query-state.tsx";
import { useVaultProblems, VaultFigures, VaultProblem } from "./vault-figures.tsx";

// Below the figures.
const VaultMaps = lazy(async () => ({ default: (await import("./vault-maps.tsx")).VaultMaps }));
const SlowestDevices = lazy(async () => ({
  default: (await import("./slowest-devices.tsx")).SlowestDevices,
}));
const StashHeadroomSection = lazy(async () => ({
  default: (await import("./stash-headroom.tsx")).StashHeadroomSection,
}));
const UploadPanels = lazy(async () => ({ default: (await import("./upload-panels.tsx")).UploadPanels }));
const BenchmarkVerdicts = lazy(async () => ({
  default: (await import("./benchmark-verdicts.tsx")).BenchmarkVerdicts,
}));
const Activity = lazy(async () => ({ default: (await import("../activity.tsx")).Activity }));

const refetchMs = 10_000;
/** More are on their own page. */
const alertCountMax = 5;
const staleAfterMs = 3 * refetchMs;

export function Overview({ role }: { role: Role }) {
  return (
    <MetricPage title="Overview" description="What needs you first, then how the write path is doing.">
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
  return (
    <>
      {health.data !== undefined && <Problems health={health.data} firing={firing.data ?? none} />}
      {health.data === undefined && health.isError && (
        <QueryError
          what="The state of the installation"
          error={health.error}
          onRetry={() => void health.refetch()}
        />
      )}
      {health.isPending && <Skeleton width="100%" height={44} />}
      <VaultFigures />
      <Suspense fallback={<Skeleton width="100%" height={360} />}>
        <VaultMaps />
      </Suspense>
      <WhenNear fallback={<Skeleton width="100%" height={136} />}>
        <StashHeadroomSection />
      </WhenNear>
      <Suspense fallback={null}>
        <BenchmarkVerdicts />
      </Suspense>
      <Suspense fallback={<Skeleton width="100%" height={320} />}>
        <UploadPanels />
      </Suspense>
      <WhenNear fallback={<Skeleton width="100%" height={196} />}>
        <SlowestDevices />
      </WhenNear>
      {health.data !== undefined && <Figures health={health.data} updatedAtMs={health.dataUpdatedAt} />}
      {health.isPending && <FiguresSkeleton />}
      <Suspense fallback={<Skeleton width="100%" height={300} />}>
        <Activity role={role} range={expressions} />
      </Suspense>
    </>
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

interface ProblemsProps {
  health: SystemHealth;
  firing: readonly FiringAlert[];
}

function Problems({ health, firing }: ProblemsProps) {
  const problems = worstFirst(health.checks).filter(({ state }) => state === "bad" || state === "warning");
  const vaultProblems = useVaultProblems();
  return (
    <Section title="Problems">
      {vaultProblems.map((figure) => (
        <VaultProblem key={figure.id} {...figure} />
      ))}
      {firing.slice(0, alertCountMax).map(({ ruleId, group, severity, summary, since, path }) => (
        <Callout key={`${ruleId} ${group}`} status={severityStatus[severity]} title={summary}>
          Fires since <Time value={since} show="relative" />.{" "}
          <a href={path} className="underline">
            See the chart
          </a>
        </Callout>
      ))}
      {firing.length > alertCountMax && (
        <a href="/alerts" className="underline">
          {firing.length - alertCountMax} more alerts
        </a>
      )}
      {problems.length === 0 && vaultProblems.length === 0 && firing.length === 0 ? (
        <Callout status="good" title="Nothing needs you">
          {sayAllIsWell(health.checks)}
        </Callout>
      ) : (
        problems.map((check) => (
          <Callout key={check.id} status={check.state} title={check.title}>
            {check.sentence}
          </Callout>
        ))
      )}
    </Section>
  );
}

function Figures({ health, updatedAtMs }: { health: SystemHealth; updatedAtMs: number }) {
  const nowMs = useNow(1_000) ?? updatedAtMs;
  const stale = nowMs - updatedAtMs > staleAfterMs;
  return (
    <Section title="Installation">
      <TileGrid>
        {health.checks.map((check) => (
          <CheckTile key={check.id} check={check} stale={stale} />
        ))}
      </TileGrid>
    </Section>
  );
}

/** The figure of each check that says most, with what it is. */
const headlines: Record<
  HealthCheck["id"],
  { figure: string; statistic: string; source: string; href: string }
> = {
  database: { figure: "Round trip", statistic: "one query", source: "this console", href: "/health" },
  migrations: { figure: "Applied", statistic: "migrations", source: "database", href: "/health" },
  worker: {
    figure: "Last sign of life",
    statistic: "since the last sign of life",
    source: "worker",
    href: "/health",
  },
  jobs: {
    figure: "Succeeded, 24 h",
    statistic: "runs succeeded, last 24 h",
    source: "worker",
    href: "/jobs",
  },
  disk: {
    figure: "Free",
    statistic: "free on the data folder's disk",
    source: "this console",
    href: "/health",
  },
  audit: { figure: "Events", statistic: "events since the beginning", source: "database", href: "/health" },
};

function CheckTile({ check, stale }: { check: HealthCheck; stale: boolean }) {
  const headline = headlines[check.id];
  const figure = check.figures.find(({ name }) => name === headline.figure);
  const shown = figure === undefined ? null : formatFigure(figure);
  return (
    <Tile
      title={check.title}
      value={shown?.value ?? null}
      {...(shown?.unit ? { unit: shown.unit } : {})}
      missing={check.sentence}
      statistic={headline.statistic}
      source={headline.source}
      age={<Time value={check.checkedAt} show="relative" />}
      status={check.state}
      stale={stale}
      href={headline.href}
    />
  );
}
