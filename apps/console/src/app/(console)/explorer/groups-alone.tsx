"use client";
import { type MetricPanel, metricCatalogue } from "@stashlight/contracts/metrics";
import { Section } from "@stashlight/ui/layout";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { explorerHref } from "../../../client/metrics/panel-address.ts";
import {
  groupName,
  groupPanel,
  highestSeries,
  panelFileName,
  panelLines,
  panelQuantity,
  panelSelection,
  statisticWords,
} from "../../../client/metrics/panel-chart.ts";
import { seriesTones } from "../../../client/metrics/series-tones.ts";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { MultiplesPanel } from "../charts/panels.tsx";

const CHART_COUNT_MAX = 24;

/** Draws a small chart per group when a split has more lines than distinguishable colours. */
export function GroupsAlone({ panel }: { panel: MetricPanel }) {
  const { isSeveral } = useScope();
  const { search } = usePageTime();
  const selection = panelSelection(panel);
  const count = useMetrics([selection]).answers?.[0]?.series.length ?? 0;
  if (count <= seriesTones.length) return null;
  return (
    <Section
      title="Separate charts"
      description={
        count > CHART_COUNT_MAX
          ? `The ${CHART_COUNT_MAX} highest of ${count}, all on one scale.`
          : "All on one scale."
      }
    >
      <MultiplesPanel
        // Remounts for another statistic, which is another question (see MetricChart).
        key={JSON.stringify([panel, isSeveral])}
        selection={selection}
        lines={panelLines({ ...panel, splitBy: null }, isSeveral)}
        metric={statisticWords(panel)}
        exportName={panelFileName(panel)}
        chosen={(all) => highestSeries(panel, all, CHART_COUNT_MAX)}
        titleOf={({ labels }) => groupName(panel, labels, isSeveral)}
        hrefOf={({ labels }) => explorerHref(groupPanel(panel, labels), search)}
        isLatency={metricCatalogue[panel.metric].kind === "histogram"}
        quantity={panelQuantity(panel)}
      />
    </Section>
  );
}
