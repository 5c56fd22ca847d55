"use client";
import { Callout } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { type MetricSelection, useMetrics } from "../../../client/metrics/use-metrics.ts";
import { QueryError } from "../query-state.tsx";
import { applyDriveState, type DrivePlace } from "./drive-state.ts";
import { FigureTiles } from "./figure-tiles.tsx";
import { integrityFigures, integritySelections } from "./integrity-figures.ts";
import { useVaultState } from "./use-vault-state.ts";

interface IntegrityTilesProps {
  readonly scope: Pick<MetricSelection, "where" | "nodeIds">;
  readonly place: DrivePlace;
}

/** Integrity of a drive's data: corrupt and unreadable records, and the age of the last verification. */
export function IntegrityTiles({ scope, place }: IntegrityTilesProps) {
  const { answers, error, retry } = useMetrics(integritySelections(scope));
  const state = useVaultState();
  const figures = applyDriveState(integrityFigures(answers ?? []), state, place);
  return (
    <Section title="Integrity">
      {error !== null && answers === undefined ? (
        <QueryError what="The integrity of the drive's data" error={error} onRetry={retry} />
      ) : (
        <FigureTiles figures={figures} answers={answers} />
      )}
      {figures.flatMap(({ id, problem }) =>
        problem === undefined ? [] : [<Callout key={id}>{problem}</Callout>],
      )}
    </Section>
  );
}
