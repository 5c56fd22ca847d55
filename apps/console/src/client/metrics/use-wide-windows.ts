"use client";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { useState } from "react";
import { pointCountForSamples, sampledSeries } from "./enough-samples.ts";
import { usePageTime } from "./page-time.tsx";
import { type LineSpecs, leastNeeded, resolveSpecs } from "./to-chart.ts";
import type { MetricSelection } from "./use-metrics.ts";
import { useScope } from "./use-scope.ts";

export interface LinesSource extends MetricSelection {
  readonly lines: LineSpecs;
}

/**
 * Queries wider windows if a series has too few samples for its percentiles in the usual ones, and keeps them until the
 * page shows another time. `widen` takes the answers.
 */
export function useWideWindows(sources: readonly LinesSource[]) {
  const { expressions, range } = usePageTime();
  const selections = sources.map(({ lines: _lines, ...selection }) => selection);
  const { asked: vaults } = useScope();
  const question = JSON.stringify([selections, vaults, expressions]);
  const [wide, setWide] = useState<{ question: string; pointCountMax: number }>();
  const pointCountMax = wide?.question === question ? wide.pointCountMax : null;
  const widen = (answers: readonly MetricAnswer[] | undefined): void => {
    const sampled = (answers ?? []).flatMap((answer, i) => {
      const { lines = [] } = sources[i] ?? {};
      return sampledSeries(answer, (series) => leastNeeded(resolveSpecs(lines, series, answer.series)));
    });
    const wanted = pointCountForSamples(sampled, range.toMs - range.fromMs);
    if (wanted !== null && wanted < (pointCountMax ?? Number.POSITIVE_INFINITY)) {
      setWide({ question, pointCountMax: wanted });
    }
  };
  const asked = pointCountMax === null ? sources : sources.map((source) => ({ ...source, pointCountMax }));
  return { asked, widen };
}
