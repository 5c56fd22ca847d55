"use client";
import { Section } from "@stashlight/ui/layout";
import { type MetricSelection, useMetrics } from "../../../client/metrics/use-metrics.ts";
import { useForecasts } from "../../../client/use-forecasts.ts";
import { QueryError } from "../query-state.tsx";
import { applyDriveState, type DrivePlace } from "./drive-state.ts";
import { FigureTiles } from "./figure-tiles.tsx";
import { spaceFigures } from "./space-figures.ts";
import { useVaultState } from "./use-vault-state.ts";
import { readSpace, type SpaceOf, spaceSelections } from "./vault-space.ts";
import { applyVaultState } from "./vault-state.ts";

interface SpaceTilesProps {
  readonly of: SpaceOf;
  readonly scope: Pick<MetricSelection, "where" | "nodeIds">;
  /** Drive or node that the figures cover, instead of the vault. */
  readonly place?: DrivePlace;
}

/** Space of a vault, of a node's drives or of one drive, in four figures at the end of the page's time range. */
export function SpaceTiles({ of, scope, place }: SpaceTilesProps) {
  const { answers, error, retry } = useMetrics(spaceSelections(of, scope));
  const forecasts = useForecasts(scope);
  const state = useVaultState();
  // Space rules watch only vaults, but a node or drive can still be silent.
  const [space] = of === "Vault" ? readSpace(answers ?? []) : [];
  const figures = spaceFigures(answers ?? [], forecasts, of);
  const ofDrive = place === undefined ? figures : applyDriveState(figures, state, place);
  const judged = space === undefined ? ofDrive : applyVaultState(figures, state, space.vault);
  return (
    <Section title="Space">
      {error === null || answers !== undefined ? (
        <FigureTiles figures={judged} answers={answers} />
      ) : (
        <QueryError what="The space of the pods" error={error} onRetry={retry} />
      )}
    </Section>
  );
}
