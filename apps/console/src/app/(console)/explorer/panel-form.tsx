"use client";
import {
  changedPanel,
  isMetricName,
  type MetricName,
  type MetricPanel,
  metricCatalogue,
  panelLabels,
  panelStatistics,
} from "@stashlight/contracts/metrics";
import type { LabelValues, SeriesLabel } from "@stashlight/contracts/metrics/query";
import { Combobox, MultiCombobox } from "@stashlight/ui/combobox";
import { Skeleton } from "@stashlight/ui/feedback";
import { Field } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { statisticWords } from "../../../client/metrics/panel-chart.ts";
import { withinScope } from "../../../client/metrics/scope.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { useTRPC } from "../../../client/trpc.tsx";

const metricOptions = Object.entries(metricCatalogue)
  .map(([value, { kind, unit, help }]) => ({ value, label: value, hint: `${help} (${kind}, ${unit})` }))
  .sort((a, b) => a.label.localeCompare(b.label));

interface PanelFormProps {
  /** Null while no metric is chosen. */
  readonly panel: MetricPanel | null;
  readonly onMetricChange: (metric: MetricName) => void;
  readonly onChange: (panel: MetricPanel) => void;
}

/** Fields of a chart definition: each change takes effect at once. */
export function PanelForm({ panel, onMetricChange, onChange }: PanelFormProps) {
  return (
    <section
      aria-label="What the chart shows"
      className="flex flex-col gap-4 rounded-md border border-line bg-surface p-4"
    >
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Field label="Metric" className="col-span-2">
          <Combobox
            options={metricOptions}
            value={panel?.metric ?? null}
            onValueChange={(name) => isMetricName(name) && onMetricChange(name)}
            placeholder="Choose a metric"
            searchLabel="Search metrics"
            empty="No metric's name contains this."
            mono
          />
        </Field>
        {panel !== null && <Parts panel={panel} onChange={onChange} />}
      </div>
      {panel !== null && <Filters panel={panel} onChange={onChange} />}
    </section>
  );
}

interface PartsProps {
  readonly panel: MetricPanel;
  readonly onChange: (panel: MetricPanel) => void;
}

const NO_SPLIT = "-";

function Parts({ panel, onChange }: PartsProps) {
  const statistics = panelStatistics(panel.metric, panel.splitBy !== null);
  const splits = panelLabels(panel.metric).map((label) => ({ value: label, label }));
  return (
    <>
      <Field label="Statistic">
        <Select
          options={statistics.map((value) => ({ value, label: statisticWords(panel, value) }))}
          value={panel.statistic}
          onValueChange={(statistic) => onChange(changedPanel(panel, { statistic }))}
        />
      </Field>
      <Field label="Split by">
        <Select<SeriesLabel | typeof NO_SPLIT>
          options={[{ value: NO_SPLIT, label: "nothing: all together" }, ...splits]}
          value={panel.splitBy ?? NO_SPLIT}
          onValueChange={(label) =>
            onChange(changedPanel(panel, { splitBy: label === NO_SPLIT ? null : label }))
          }
        />
      </Field>
    </>
  );
}

/** Value filters for each label of the metric's series. */
function Filters({ panel, onChange }: PartsProps) {
  const trpc = useTRPC();
  const scope = useScope();
  const { metric } = panel;
  const { data, isPending } = useQuery(
    trpc.metric.labels.queryOptions(withinScope({ metric, where: {} }, scope), {
      placeholderData: keepPreviousData,
    }),
  );
  if (isPending) return <Skeleton height={58} />;
  // Hides labels without series, unless the address filters by them.
  const isOffered = (label: SeriesLabel) =>
    data === undefined || (data.labels[label]?.values.length ?? 0) > 0 || panel.where[label] !== undefined;
  const labels = panelLabels(metric).filter(isOffered);
  return (
    <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      {labels.map((label) => (
        <LabelFilter
          key={label}
          label={label}
          known={data?.labels[label]}
          chosen={panel.where[label] ?? []}
          onChange={(values) => onChange(changedPanel(panel, { where: { ...panel.where, [label]: values } }))}
        />
      ))}
    </div>
  );
}

interface LabelFilterProps {
  readonly label: SeriesLabel;
  readonly known: LabelValues | undefined;
  readonly chosen: readonly string[];
  readonly onChange: (values: string[]) => void;
}

function LabelFilter({ label, known, chosen, onChange }: LabelFilterProps) {
  // Offers the values in the page's address even if no node reports them.
  const values = [...new Set([...(known?.values ?? []), ...chosen])];
  const omitted = known?.omittedCount ?? 0;
  return (
    <Field
      label={label}
      hint={omitted > 0 ? `${omitted} more values are not listed; choose a vault to see fewer.` : undefined}
    >
      <MultiCombobox
        options={values.map((value) => ({ value, label: value }))}
        values={chosen}
        onValuesChange={onChange}
        placeholder="any"
        searchLabel={`Search values of ${label}`}
        empty="No series has a matching value."
        disabled={values.length === 0}
      />
    </Field>
  );
}
