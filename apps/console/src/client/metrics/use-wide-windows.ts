"use client";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { useState } from "react";
import { formatTooFewSamples, leastNeeded, pointCountForSamples } from "./enough-samples.ts";
import { usePageTime } from "./page-time.tsx";
import { type LineSpec, type LineSpecs, specsOf } from "./to-chart.ts";
import type { MetricSelection } from "./use-metrics.ts";
import { useScope } from "./use-scope.ts";

export interface LinesSource extends MetricSelection {
  readonly lines: LineSpecs;
}

const specsIn = ({ lines }: LinesSource, { series }: MetricAnswer): readonly LineSpec[] =>
  typeof lines === "function" ? series.flatMap((each) => specsOf(lines, each, series)) : lines;

/**
 * Asks for wider windows where those of the usual length hold too few samples for any percentile, and stays with them
 * until the page shows another time. `widen` takes the answers, and says why nothing can be drawn of them.
 */
export function useWideWindows(sources: readonly LinesSource[]) {
  const { expressions, range } = usePageTime();
  const selections = sources.map(({ lines: _lines, ...selection }) => selection);
  const { asked: vaults } = useScope();
  const question = JSON.stringify([selections, vaults, expressions]);
  const [wide, setWide] = useState<{ question: string; pointCountMax: number }>();
  const pointCountMax = wide?.question === question ? wide.pointCountMax : null;
  const widen = (answers: readonly MetricAnswer[] | undefined): string | undefined => {
    const specs = (answers ?? []).flatMap((answer, i) => (sources[i] ? specsIn(sources[i], answer) : []));
    const needed = leastNeeded(specs);
    if (answers === undefined || needed === null) return undefined;
    const wanted = pointCountForSamples(answers, needed, range.toMs - range.fromMs);
    if (wanted !== null && wanted < (pointCountMax ?? Number.POSITIVE_INFINITY)) {
      setWide({ question, pointCountMax: wanted });
    }
    return formatTooFewSamples(answers, needed);
  };
  const asked = pointCountMax === null ? sources : sources.map((source) => ({ ...source, pointCountMax }));
  return { asked, widen };
}
