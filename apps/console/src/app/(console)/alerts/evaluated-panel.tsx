"use client";
import {
  type AlertCondition,
  type AlertQuery,
  type AlertReplay,
  formatCondition,
} from "@stashlight/contracts/alert";
import { utcOffsetMs } from "@stashlight/ui";
import { type ChartEvent, ChartPanel, type ChartRange, prepareLines } from "@stashlight/ui/chart";
import { Time } from "@stashlight/ui/data";
import { type ReactNode, useMemo } from "react";
import { formatSpan, isStale } from "../../../client/metrics/to-chart.ts";
import { evaluatedChart } from "./evaluated-chart.ts";

interface EvaluatedPanelProps {
  readonly title: string;
  readonly rule: { readonly query: AlertQuery; readonly condition: AlertCondition };
  /** Undefined while loading. */
  readonly replay: AlertReplay | undefined;
  readonly range: ChartRange;
  readonly events?: readonly ChartEvent[];
  /** Time of the first measurement. */
  readonly measuredSinceMs?: number;
  /** True if the newest point should be recent. */
  readonly isLive: boolean;
  readonly nowMs: number;
  readonly onZoom?: (range: ChartRange) => void;
  readonly error?: ReactNode;
  readonly heightPx: number;
}

/** Draws a rule's values and limits, and when it was pending and firing. */
export function EvaluatedPanel(props: EvaluatedPanelProps) {
  const { title, rule, replay, range, events, isLive, nowMs, onZoom, error, heightPx } = props;
  const chart = useMemo(
    () =>
      replay === undefined
        ? null
        : prepareLines({
            range,
            events,
            stepMs: replay.stepMs,
            measuredSinceMs: props.measuredSinceMs,
            utcOffsetMs: utcOffsetMs(range.fromMs),
            expectedUntilMs: nowMs - 2 * replay.stepMs,
            // No alert is pending or firing in the future.
            ...evaluatedChart(rule, replay, { ...range, toMs: Math.min(range.toMs, nowMs) }),
          }),
    [replay, range.fromMs, range.toMs, events],
  );
  const newestMs = newestEndMs(replay, nowMs);
  return (
    <ChartPanel
      title={title}
      metric={`evaluated: ${formatCondition(rule)}`}
      chart={chart}
      age={newestMs === null ? undefined : <Time value={newestMs} show="age" />}
      source={replay && describeSource(replay)}
      stale={isLive && replay !== undefined && isStale(newestMs, nowMs, replay.stepMs)}
      empty="No data for this rule was reported in this time range."
      exportName="alert"
      onZoom={onZoom}
      error={error}
      heightPx={heightPx}
    />
  );
}

/** End of the newest point, at most now, because an unfinished point ends in the future. */
function newestEndMs(replay: AlertReplay | undefined, nowMs: number): number | null {
  const ends = (replay?.groups ?? []).flatMap(({ endMs }) => endMs.at(-1) ?? []);
  return ends.length === 0 ? null : Math.min(nowMs, Math.max(...ends));
}

function describeSource({ stepMs, groupCount, groups }: AlertReplay): string {
  const shown =
    groups.length < groupCount ? `${groups.length} of ${groupCount} groups, nearest to firing` : "";
  return [`evaluated on points of ${formatSpan(stepMs)}; live, every 15 s`, shown]
    .filter((part) => part !== "")
    .join(" · ");
}
