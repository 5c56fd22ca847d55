"use client";
import type { MetricAnswer } from "@stashlight/contracts";
import { formatQuantity } from "@stashlight/ui/chart";
import { Tile, TileGrid, type TileProps, Time } from "@stashlight/ui/data";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { LinkButton } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { describeOrigin, isStale } from "../../../client/metrics/to-chart.ts";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { QueryError } from "../query-state.tsx";
import { figureSelections, figureTitles, readFigures, type VaultFigure } from "./figures.ts";

/** What the write path does, in figures at the end of the page's time. */
export function VaultFigures() {
  const { answers, error, retry } = useMetrics(figureSelections);
  return (
    <Section title="Write path">
      {answers === undefined && error === null && (
        <TileGrid>
          {figureTitles.map((title) => (
            <Skeleton key={title} height={104} />
          ))}
        </TileGrid>
      )}
      {answers === undefined && error !== null && (
        <QueryError what="The figures of the write path" error={error} onRetry={retry} />
      )}
      {answers !== undefined && (
        <TileGrid>
          {readFigures(answers).map((figure) => (
            <FigureTile key={figure.id} figure={figure} answers={answers} />
          ))}
        </TileGrid>
      )}
    </Section>
  );
}

type Problem = VaultFigure & { readonly caveats: readonly string[] };

/** Figures that need a person; none while they are on their way. */
export function useVaultProblems(): readonly Problem[] {
  const { answers } = useMetrics(figureSelections);
  if (answers === undefined) return [];
  const figures = readFigures(answers).filter(({ problem }) => problem !== undefined);
  return figures
    .toSorted((a, b) => Number(b.status === "bad") - Number(a.status === "bad"))
    .map((figure) => ({ ...figure, caveats: describeOrigin(originsOf(figure, answers)).caveats }));
}

const originsOf = ({ metrics }: VaultFigure, answers: readonly MetricAnswer[]): MetricAnswer[] =>
  answers.filter(({ metric }) => metrics.includes(metric));

export function VaultProblem({ problem, status, href, caveats }: Problem) {
  const { search } = usePageTime();
  return (
    <Callout
      status={status}
      title={problem}
      action={
        <LinkButton href={`${href}${search}`} size="sm">
          See why
        </LinkButton>
      }
    >
      {caveats.length > 0 && caveats.join(" · ")}
    </Callout>
  );
}

function FigureTile({ figure, answers }: { figure: VaultFigure; answers: readonly MetricAnswer[] }) {
  const { nowMs, isLive, search } = usePageTime();
  const origins = originsOf(figure, answers);
  const { newestMs, caveats } = describeOrigin(origins);
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
      age={newestMs === null ? undefined : <Time value={newestMs} show="relative" />}
      source={caveats.length > 0 ? caveats.join(", ") : undefined}
      status={figure.status}
      stale={isLive && isStale(newestMs, nowMs, origins[0]?.stepMs ?? 0)}
      href={`${figure.href}${search}`}
    />
  );
}
