"use client";
import { TileGrid } from "@stashlight/ui/data";
import { Skeleton } from "@stashlight/ui/feedback";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { FigureTile } from "../charts/figure-tile.tsx";
import { useVaultState } from "../charts/use-vault-state.ts";
import { readUploadFigures, uploadSelections } from "../overview/vault-summary.ts";
import { QueryError } from "../query-state.tsx";

/** Rate, errors and duration of uploads at the end of the page's time range. */
export function UploadFigures() {
  const { answers, error, retry } = useMetrics(uploadSelections);
  const state = useVaultState();
  const { ageEndMs } = usePageTime();
  if (answers === undefined && error !== null) {
    return <QueryError what="The figures of uploads" error={error} onRetry={retry} />;
  }
  return (
    <TileGrid>
      {readUploadFigures(answers ?? [], ageEndMs, state).map((figure) =>
        answers === undefined ? (
          <Skeleton key={figure.id} height={104} />
        ) : (
          <FigureTile key={figure.id} figure={figure} answers={answers} isLinked={false} />
        ),
      )}
    </TileGrid>
  );
}
