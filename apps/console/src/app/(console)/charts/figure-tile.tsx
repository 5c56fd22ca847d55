"use client";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { formatQuantity } from "@stashlight/ui/chart";
import { Sparkline, Tile, type TileProps, Time } from "@stashlight/ui/data";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { describeOrigin } from "../../../client/metrics/to-chart.ts";
import { figureEndMs, figureOrigins, longestStepMs, type VaultFigure } from "./figure.ts";
import { judgeAge } from "./quiet.ts";
import { type FigureTrend, trendInWords } from "./trend.ts";

interface FigureTileProps {
  readonly figure: VaultFigure;
  readonly answers: readonly MetricAnswer[];
  /** False on the page that the figure would otherwise link to. */
  readonly isLinked?: boolean;
  /** Compact padding, for many tiles above other content that must stay visible. */
  readonly isDense?: boolean;
}

export function FigureTile({ figure, answers, isLinked = true, isDense = false }: FigureTileProps) {
  const { nowMs, isLive, search } = usePageTime();
  const origins = figureOrigins(figure, answers);
  const { caveats } = describeOrigin(origins);
  const atMs = figureEndMs(figure, answers);
  const stepMs = longestStepMs(figure, origins);
  const age = isLive ? judgeAge({ atMs, stepMs, reportedMs: figure.events?.reportedMs }, nowMs) : "current";
  const omitted = origins.reduce((most, { omittedSeriesCount }) => Math.max(most, omittedSeriesCount), 0);
  const sources = [...caveats, ...(omitted > 0 ? [`${omitted} more series left out`] : [])];
  const shown: Pick<TileProps, "value" | "unit"> =
    figure.value === null
      ? { value: null }
      : typeof figure.value === "string"
        ? { value: figure.value }
        : formatQuantity(figure.quantity, figure.value);
  return (
    <Tile
      title={figure.title}
      {...shown}
      missing={figure.missing}
      statistic={figure.statistic}
      n={figure.n}
      age={
        figure.silence ??
        (atMs === null ? undefined : <Age atMs={atMs} none={age === "quiet" ? figure.events : undefined} />)
      }
      source={sources.length > 0 ? sources.join(", ") : undefined}
      status={figure.status}
      stale={figure.silence !== undefined || age === "stale"}
      picture={figure.trend && <TrendLine title={figure.title} trend={figure.trend} />}
      isDense={isDense}
      {...(isLinked ? { href: `${figure.href}${search}` } : {})}
    >
      {figure.detail !== undefined && (
        <p className="sm:line-clamp-2 text-sm text-faint" title={figure.detail}>
          {figure.detail}
        </p>
      )}
      {figure.vaultWords !== undefined && (
        <p className="truncate text-sm text-muted" title={figure.vaultWords}>
          {figure.vaultWords}
        </p>
      )}
    </Tile>
  );
}

/** "2 min ago", or "2 min ago, no uploads since, as of 8 s ago": nodes have reported nothing newer than that. */
const Age = ({ atMs, none }: { atMs: number; none: VaultFigure["events"] }) => (
  <>
    <Time value={atMs} show="age" />
    {none !== undefined && (
      <>
        , no {none.what} <Time value={none.reportedMs} show="age" />
      </>
    )}
  </>
);

function TrendLine({ title, trend }: { title: string; trend: FigureTrend }) {
  const { range } = usePageTime();
  return (
    <Sparkline
      range={range}
      tone={trend.tone}
      kind={trend.kind}
      stepMs={trend.stepMs}
      endMs={trend.endMs}
      values={trend.values}
      label={trendInWords(title, trend)}
      className="max-w-28 flex-1"
    />
  );
}
