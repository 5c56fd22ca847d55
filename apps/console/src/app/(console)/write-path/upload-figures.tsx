"use client";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { FigureTiles } from "../charts/figure-tiles.tsx";
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
  return <FigureTiles figures={readUploadFigures(answers ?? [], ageEndMs, state)} answers={answers} />;
}
