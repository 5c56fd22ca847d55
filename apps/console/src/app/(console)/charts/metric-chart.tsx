"use client";
import { type MetricPanel, metricCatalogue } from "@stashlight/contracts/metrics";
import {
  groupName,
  panelFileName,
  panelLines,
  panelQuantity,
  panelSelection,
  panelSubject,
  panelTitle,
  panelTone,
} from "../../../client/metrics/panel-chart.ts";
import { seriesTones } from "../../../client/metrics/series-tones.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { BarsPanel, HeatmapPanel, LinesPanel } from "./panels.tsx";
import type { PanelProps } from "./use-panel.tsx";

type MetricChartProps = Partial<PanelProps> & { readonly panel: MetricPanel };

/** Draws a metric panel by the same rules as the charts of other pages. */
export function MetricChart({ panel, ...own }: MetricChartProps) {
  const { isSeveral } = useScope();
  // Remounts the chart for another question; within one question only the answers change.
  const key = JSON.stringify([panel, isSeveral]);
  const props = {
    title: panelTitle(panel),
    metric: panelSubject(panel),
    exportName: panelFileName(panel),
    isFiltered: Object.keys(panel.where).length > 0,
    ...own,
  };
  const selection = panelSelection(panel);
  if (panel.statistic === "distribution") {
    return <HeatmapPanel key={key} {...props} selection={selection} tone={panelTone(panel)} />;
  }
  if (panel.statistic === "increase") {
    return (
      <BarsPanel
        key={key}
        {...props}
        panel={panel}
        sources={[
          {
            ...selection,
            layer: ({ labels }, index) => ({
              label: groupName(panel, labels, isSeveral),
              tone: panel.splitBy === null ? panelTone(panel) : (seriesTones[index] ?? "unknown"),
            }),
          },
        ]}
      />
    );
  }
  return (
    <LinesPanel
      key={key}
      {...props}
      panel={panel}
      sources={[{ ...selection, lines: panelLines(panel, isSeveral) }]}
      quantity={panelQuantity(panel)}
      isLatency={metricCatalogue[panel.metric].kind === "histogram"}
    />
  );
}
