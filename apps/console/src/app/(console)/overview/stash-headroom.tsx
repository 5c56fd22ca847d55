"use client";
import { DAY_MS, MINUTE_MS } from "@stashlight/contracts/time";
import { formatFigure, formatTimes } from "@stashlight/planner";
import { formatDateRange } from "@stashlight/planner/date-range";
import { chosenTimeZone, useNow } from "@stashlight/ui";
import { Tile, TileGrid, Time } from "@stashlight/ui/data";
import { Skeleton } from "@stashlight/ui/feedback";
import { skipToken, useQueries, useQuery } from "@tanstack/react-query";
import { useElapsedSeconds } from "../../../client/elapsed-seconds.ts";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { useKept } from "../../../client/use-kept.ts";
import { agedBy, formatSourceAge } from "../planner/live.ts";
import { QueryError } from "../query-state.tsx";
import { CapacitySection } from "./capacity-section.tsx";
import {
  chooseLimits,
  endOfLoad,
  judgeHeadroom,
  type NamedPlan,
  readHeadroom,
  type StashHeadroom,
  worstHeadroom,
} from "./headroom.ts";

/** Limit, because each vault takes a day of figures; the scope chooses which. */
const VAULTS_MAX = 6;

/**
 * Compares the last day's load with the installed pool, and shows the date at which growth exceeds it; of several
 * vaults, for the one with the least headroom.
 */
export function StashHeadroomSection() {
  const trpc = useTRPC();
  const { vaults } = useScope();
  const { measuredSinceMs } = usePageTime();
  const nowMs = useNow(MINUTE_MS);
  const toMs = nowMs === null ? 0 : endOfLoad(nowMs, measuredSinceMs);
  const asked = vaults.length === 0 ? [undefined] : vaults.slice(0, VAULTS_MAX);
  const live = useQueries({
    queries: asked.map((vault) =>
      trpc.planner.liveInputs.queryOptions(toMs === 0 ? skipToken : { vault, fromMs: toMs - DAY_MS, toMs }),
    ),
  });
  const scenarios = useQuery(
    trpc.planner.listScenarios.queryOptions(undefined, { staleTime: 5 * MINUTE_MS }),
  );
  const chosen = scenarios.data?.find(({ isDefault }) => isDefault);
  const scenario = useQuery(
    trpc.planner.getScenario.queryOptions(chosen === undefined ? skipToken : { scenarioId: chosen.id }),
  );
  const found = live.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const kept = useKept(found.length < live.length ? undefined : found, JSON.stringify(asked));
  const elapsedSeconds = useElapsedSeconds(kept?.[0]?.answeredAtMs);
  const inputs = kept?.map((each) => agedBy(each, elapsedSeconds));
  const failed = [...live, scenarios, scenario].find(({ isError, data }) => isError && data === undefined);
  if (failed !== undefined) {
    return (
      <CapacitySection>
        <QueryError what="The stash's headroom" error={failed.error} onRetry={() => void failed.refetch()} />
      </CapacitySection>
    );
  }
  const isWaiting =
    inputs === undefined ||
    scenarios.data === undefined ||
    (chosen !== undefined && scenario.data === undefined);
  const { limits, plan } = chooseLimits(chosen ?? null, scenario.data?.input);
  const worst = isWaiting
    ? null
    : worstHeadroom(
        inputs.map((each) => ({
          vault: each.vault,
          headroom: readHeadroom(each, limits, toMs, measuredSinceMs),
        })),
      );
  const leftOut = vaults.length - asked.length;
  return (
    <CapacitySection
      description={
        leftOut > 0 ? `${leftOut} more vaults are left out; choose them as the page's scope.` : undefined
      }
    >
      {worst === null ? (
        <TileGrid>
          <Skeleton height={104} />
          <Skeleton height={104} />
        </TileGrid>
      ) : (
        <Tiles {...worst} plan={plan} />
      )}
    </CapacitySection>
  );
}

interface TilesProps {
  readonly headroom: StashHeadroom;
  readonly vault: string | null;
  /** Names the vault and the headroom of the others, if there are several. */
  readonly words: string | null;
  /** Saved plan that the limits come from; null for the example plan. */
  readonly plan: NamedPlan | null;
}

/** Link to the planner with the same limits and fleet figures, so that it shows the same result. */
function plannerHref(vault: string | null, plan: TilesProps["plan"]): string {
  const query = new URLSearchParams(vault === null ? {} : { vault });
  if (plan !== null) query.set("scenario", plan.id);
  if (vault !== null) query.set("fill", "fleet");
  return `/planner?${query}`;
}

function Tiles({ headroom, vault, words, plan }: TilesProps) {
  const href = plannerHref(vault, plan);
  const limits = plan === null ? "limits of the example plan" : `limits of “${plan.name}”`;
  if (headroom.kind === "unknown") {
    return (
      <TileGrid>
        <Tile title="Stash headroom" value={null} missing={headroom.why} statistic="last 24 h" href={href} />
      </TileGrid>
    );
  }
  const { stash, load, unjudged, growthPerYear, growthFrom, passedAtMs, passedBand } = headroom;
  const { times, firstConstraint, pool, sufficesToday, placementHolds } = stash;
  const growth = `${formatFigure(growthPerYear * 100)} % a year, ${growthFrom === "trend" ? "trend of the uploads" : limits}`;
  const status = judgeHeadroom(headroom);
  return (
    <TileGrid>
      <Tile
        title="Stash headroom"
        value={formatTimes(times).replace(" times", "×")}
        statistic={`of the last day's load${unjudged === null ? "" : ` · ${unjudged}`} · ${firstConstraint} is met first · ${pool.drives} drives${placementHolds ? "" : " in too few servers"} · ${limits}`}
        n={load.n}
        {...(load.ageSeconds === null ? {} : { age: formatSourceAge(load.ageSeconds) })}
        {...(load.basis === "measured" ? {} : { source: load.basis })}
        status={status}
        href={href}
      >
        {words !== null && (
          <p className="truncate text-sm text-muted" title={words}>
            {words}
          </p>
        )}
      </Tile>
      <Tile
        title="Outgrown"
        value={
          passedAtMs === null || unjudged !== null ? null : sufficesToday ? (
            <Time value={passedAtMs} show="relative" />
          ) : (
            "today"
          )
        }
        missing={unjudged ?? (growthPerYear > 0 ? "not within ten years" : "the load does not grow")}
        statistic={
          passedAtMs === null || !sufficesToday
            ? growth
            : `${passedBand === null ? formatDay(passedAtMs) : `${formatDateRange(passedBand, chosenTimeZone())} (95 %)`} · ${growth}`
        }
        status={status}
        href={href}
      />
    </TileGrid>
  );
}

/** A forecast of months is not accurate to the hour. */
const formatDay = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);
