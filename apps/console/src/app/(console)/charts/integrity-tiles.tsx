"use client";
import { TileGrid } from "@stashlight/ui/data";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { type MetricSelection, useMetrics } from "../../../client/metrics/use-metrics.ts";
import { QueryError } from "../query-state.tsx";
import { FigureTile } from "./figure-tile.tsx";
import { integrityFigures, integritySelections } from "./integrity-figures.ts";

/** Integrity of a drive: corrupt and unreadable records, and the age of the last verification. */
export function IntegrityTiles({ scope }: { scope: Pick<MetricSelection, "where" | "nodeIds"> }) {
  const { answers, error, retry } = useMetrics(integritySelections(scope));
  const figures = integrityFigures(answers ?? []);
  return (
    <Section title="Integrity">
      {error !== null && answers === undefined ? (
        <QueryError what="What is known of the drive's data" error={error} onRetry={retry} />
      ) : (
        <TileGrid>
          {figures.map((figure) =>
            answers === undefined ? (
              <Skeleton key={figure.id} height={104} />
            ) : (
              <FigureTile key={figure.id} figure={figure} answers={answers} isLinked={false} />
            ),
          )}
        </TileGrid>
      )}
      {figures.flatMap(({ id, problem }) =>
        problem === undefined ? [] : [<Callout key={id}>{problem}</Callout>],
      )}
    </Section>
  );
}
