"use client";
import {
  changedPanel,
  type MetricName,
  type MetricPanel,
  metricCatalogue,
  readPanel,
  usualPanel,
} from "@stashlight/contracts/metrics";
import { UiLink } from "@stashlight/ui";
import { Callout } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { useQueryStates } from "nuqs";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { explorerHref, panelParams, toPanelParams } from "../../../client/metrics/panel-address.ts";
import { panelTitle } from "../../../client/metrics/panel-chart.ts";
import { wordsOfParams } from "../../../client/metrics/panel-in-address.ts";
import { MetricChart } from "../charts/metric-chart.tsx";
import { GroupsAlone } from "./groups-alone.tsx";
import { PanelForm } from "./panel-form.tsx";

/** Chart described by the page's address, and the controls that change it. */
export function Explorer() {
  const [params, setParams] = useQueryStates(panelParams, { history: "push" });
  const words = wordsOfParams(params);
  const read = words === null ? null : readPanel(words);
  const panel = read !== null && "panel" in read ? read.panel : null;
  const nearest = read !== null && "nearest" in read ? read.nearest : panel;
  const show = (next: MetricPanel) => void setParams(toPanelParams(next));
  const chooseMetric = (metric: MetricName) =>
    show(nearest === null ? usualPanel(metric) : changedPanel(nearest, { metric }));
  return (
    <>
      <PanelForm panel={nearest} onMetricChange={chooseMetric} onChange={show} />
      {read === null && <Suggestions />}
      {read !== null && "problem" in read && (
        <Callout status="warning" title="This chart cannot be drawn">
          {read.problem}
        </Callout>
      )}
      {panel !== null && (
        <>
          <MetricChart panel={panel} heightPx={380} isInExplorer />
          {panel.splitBy !== null && panel.statistic !== "increase" && <GroupsAlone panel={panel} />}
          <p className="max-w-[80ch] text-pretty text-muted">{metricCatalogue[panel.metric].help}</p>
        </>
      )}
    </>
  );
}

const suggestions: readonly (MetricPanel & { readonly question: string })[] = [
  {
    ...usualPanel("stashlight_fsync_seconds"),
    where: { tier: ["stash"] },
    splitBy: "device",
    statistic: "p99",
    question: "Which SSD of the stash is slow to sync?",
  },
  {
    ...usualPanel("stashlight_uploads_total"),
    splitBy: "path",
    question: "How many uploads per second take each path?",
  },
  {
    ...usualPanel("stashlight_stash_used_bytes"),
    splitBy: "stash",
    statistic: "sum",
    question: "Which stash fills up?",
  },
  {
    ...usualPanel("stashlight_agent_cpu_seconds_total"),
    splitBy: "node",
    question: "Which agent takes the most processor time?",
  },
];

/** Suggests charts to readers who have not chosen a metric. */
function Suggestions() {
  const { search } = usePageTime();
  return (
    <Section title="Choose a metric, or start with one of these">
      <ul className="grid gap-2 sm:grid-cols-2">
        {suggestions.map(({ question, ...panel }) => (
          <li key={question}>
            <UiLink
              href={explorerHref(panel, search)}
              className="flex h-full flex-col rounded-md border border-line bg-surface px-3 py-2 no-underline hover:border-control"
            >
              <span className="font-medium text-ink">{question}</span>
              <span className="text-sm text-faint">{panelTitle(panel)}</span>
            </UiLink>
          </li>
        ))}
      </ul>
    </Section>
  );
}
