"use client";
import type { MetricAnswer } from "@stashlight/contracts";
import type { Status } from "@stashlight/ui";
import { formatQuantity } from "@stashlight/ui/chart";
import { Tile, TileGrid, type TileProps, Time } from "@stashlight/ui/data";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { describeOrigin, isStale } from "../../../client/metrics/to-chart.ts";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { QueryError } from "../query-state.tsx";
import { figureSelections, readFigures, type VaultFigure } from "./figures.ts";

/** What the write path does, in figures at the end of the page's time; what needs a person stands above them. */
export function VaultFigures() {
  const { answers, error, retry } = useMetrics(figureSelections);
  const { search } = usePageTime();
  if (answers === undefined) {
    return (
      <Section title="Write path">
        {error === null ? (
          <TileGrid>
            {figureSelections.map(({ metric, where }) => (
              <Skeleton key={`${metric} ${JSON.stringify(where)}`} height={104} />
            ))}
          </TileGrid>
        ) : (
          <QueryError what="The figures of the write path" error={error} onRetry={retry} />
        )}
      </Section>
    );
  }
  const figures = readFigures(answers);
  return (
    <Section title="Write path">
      {figures.flatMap(({ id, problem, status, href }) =>
        problem === undefined
          ? []
          : [<Problem key={id} text={problem} status={status} href={`${href}${search}`} />],
      )}
      <TileGrid>
        {figures.map((figure) => (
          <FigureTile key={figure.id} figure={figure} answers={answers} />
        ))}
      </TileGrid>
    </Section>
  );
}

function Problem({ text, status, href }: { text: string; status?: Status; href: string }) {
  return (
    <Callout status={status} title={text}>
      <a href={href} className="underline">
        See how it came to this
      </a>
    </Callout>
  );
}

function FigureTile({ figure, answers }: { figure: VaultFigure; answers: readonly MetricAnswer[] }) {
  const { nowMs, isLive, search } = usePageTime();
  const origins = answers.filter(({ metric }) => figure.metrics.includes(metric));
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
