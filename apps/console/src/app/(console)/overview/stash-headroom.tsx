"use client";
import { headroomMarks } from "@stashlight/contracts/judgement";
import { DAY_MS } from "@stashlight/contracts/time/duration";
import { checkStashPlanInput, defaultPlanInput, figureInWords } from "@stashlight/planner";
import { type Status, useNow } from "@stashlight/ui";
import { Tile, TileGrid, Time } from "@stashlight/ui/data";
import { Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";
import { readHeadroom, type StashHeadroom } from "./headroom.ts";

/** The day moves on in steps of this. */
const stepMs = 300_000;

/** The last day's load against the pool that is there, and the date at which growth passes it. */
export function StashHeadroomSection() {
  const trpc = useTRPC();
  const nowMs = useNow(60_000);
  const toMs = nowMs === null ? 0 : Math.floor(nowMs / stepMs) * stepMs;
  const live = useQuery(
    trpc.planner.liveInputs.queryOptions(toMs === 0 ? skipToken : { fromMs: toMs - DAY_MS, toMs }, {
      placeholderData: keepPreviousData,
    }),
  );
  const scenarios = useQuery(trpc.planner.listScenarios.queryOptions(undefined, { staleTime: stepMs }));
  const chosen = scenarios.data?.find(({ isDefault }) => isDefault);
  const scenario = useQuery(
    trpc.planner.getScenario.queryOptions(chosen === undefined ? skipToken : { scenarioId: chosen.id }),
  );
  const isWaiting =
    live.data === undefined ||
    scenarios.data === undefined ||
    (chosen !== undefined && scenario.data === undefined);
  const failed = [live, scenarios, scenario].find(({ isError, data }) => isError && data === undefined);
  if (failed !== undefined) {
    return (
      <Section title="Capacity">
        <QueryError what="The stash's headroom" error={failed.error} onRetry={() => void failed.refetch()} />
      </Section>
    );
  }
  return (
    <Section title="Capacity">
      {isWaiting || live.data === undefined ? (
        <TileGrid>
          <Skeleton height={104} />
          <Skeleton height={104} />
        </TileGrid>
      ) : (
        <Tiles
          headroom={readHeadroom(
            live.data,
            (scenario.data === undefined ? null : checkStashPlanInput(scenario.data.input).input) ??
              defaultPlanInput,
            toMs,
          )}
          vault={live.data.vault}
          planName={chosen?.name ?? null}
        />
      )}
    </Section>
  );
}

interface TilesProps {
  readonly headroom: StashHeadroom;
  readonly vault: string | null;
  readonly planName: string | null;
}

function Tiles({ headroom, vault, planName }: TilesProps) {
  const href = `/planner${vault === null ? "" : `?${new URLSearchParams({ vault })}`}`;
  const plan = planName === null ? "limits of the example plan" : `limits of “${planName}”`;
  if (headroom.kind === "unknown") {
    return (
      <TileGrid>
        <Tile title="Stash headroom" value={null} missing={headroom.why} statistic="last 24 h" href={href} />
      </TileGrid>
    );
  }
  const { times, constraint, drives, load, growthPerYear, growthFrom, passedAtMs } = headroom;
  const growth = `${figureInWords(growthPerYear * 100)} % a year, ${growthFrom === "trend" ? "trend of the uploads" : plan}`;
  return (
    <TileGrid>
      <Tile
        title="Stash headroom"
        value={`${figureInWords(times)}×`}
        statistic={`of the last day's load · ${constraint} is met first · ${drives} drives · ${plan}`}
        n={load.n}
        {...(load.ageSeconds === null ? {} : { age: `${figureInWords(load.ageSeconds)} s ago` })}
        {...(load.basis === "measured" ? {} : { source: load.basis })}
        status={statusOf(times)}
        href={href}
      />
      <Tile
        title="Headroom used up"
        value={
          passedAtMs === null ? null : times <= 1 ? "already" : <Time value={passedAtMs} show="relative" />
        }
        missing={growthPerYear > 0 ? "not within ten years" : "the load does not grow"}
        statistic={passedAtMs === null || times <= 1 ? growth : `${dayOf(passedAtMs)} · ${growth}`}
        status={statusOf(times)}
        href={href}
      />
    </TileGrid>
  );
}

/** A forecast of months has no hour. */
const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

function statusOf(times: number): Status {
  if (times < headroomMarks.badBelowTimes) return "bad";
  return times < headroomMarks.warningBelowTimes ? "warning" : "good";
}
