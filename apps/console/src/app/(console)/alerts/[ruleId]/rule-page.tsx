"use client";
import type { AlertRuleRow } from "@stashlight/contracts/alert";
import { formatCondition, formatLabels, formatReminders } from "@stashlight/contracts/alert/words";
import { type MetricName, metricCatalogue } from "@stashlight/contracts/metrics";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import type { ChartThreshold, ChartTone } from "@stashlight/ui/chart";
import { Badge, Callout, Skeleton, StatusDot } from "@stashlight/ui/feedback";
import { LinkButton } from "@stashlight/ui/form";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { standingOfRule } from "../../../../client/alerts.ts";
import { severityStatus } from "../../../../client/firing-count.ts";
import { usePageTime } from "../../../../client/metrics/page-time.tsx";
import type { LineSpec } from "../../../../client/metrics/to-chart.ts";
import { usePageTitle } from "../../../../client/page-title.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { MetricPage } from "../../charts/metric-page.tsx";
import { lastOf } from "../../charts/occupancy.ts";
import { LinesPanel } from "../../charts/panels.tsx";
import { QueryError } from "../../query-state.tsx";
import { AlertHistory } from "../history.tsx";
import { labelsOfGroup } from "./group.ts";

const refetchMs = 15_000;

/** What a rule watches, as a chart with its threshold: where the messages of an alert lead. */
export function RulePage({ ruleId }: { ruleId: string }) {
  const trpc = useTRPC();
  const rule = useQuery(trpc.alert.getRule.queryOptions({ ruleId }, { refetchInterval: refetchMs }));
  usePageTitle(rule.data?.name ?? null);
  if (rule.data !== undefined) {
    return (
      <MetricPage title={<Title rule={rule.data} />} description={rule.data.description}>
        <RuleBody rule={rule.data} />
      </MetricPage>
    );
  }
  return (
    <Page>
      <PageHeader title="Alert rule" />
      {rule.isError ? (
        <QueryError what="The rule" error={rule.error} onRetry={() => void rule.refetch()} />
      ) : (
        <Skeleton width="100%" height={320} />
      )}
    </Page>
  );
}

function Title({ rule }: { rule: AlertRuleRow }) {
  const { label, status } = standingOfRule(rule);
  return (
    <span className="inline-flex flex-wrap items-center gap-3">
      {rule.name}
      <span className="text-base font-normal">
        <StatusDot status={status} label={label} />
      </span>
    </span>
  );
}

function RuleBody({ rule }: { rule: AlertRuleRow }) {
  const { expressions } = usePageTime();
  const [group] = useQueryState("group", parseAsString);
  const labels = labelsOfGroup(rule.query.groupBy, group);
  const where = formatLabels(labels);
  const { metric, across, groupBy } = rule.query;
  const chosen = Object.entries(labels).map(([label, value]) => [label, [value]]);
  const scope = { across, groupBy, where: { ...rule.query.where, ...Object.fromEntries(chosen) } };
  const whole = rule.condition.kind === "threshold" ? rule.condition.shareOf : undefined;
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Badge status={severityStatus[rule.severity]} className="capitalize">
          {rule.severity}
        </Badge>
        <span>
          Fires at {rule.sentence}. {formatReminders(rule)}
        </span>
        {where !== "" && <LinkButton href={`/alerts/${rule.id}`}>Only {where}: show all</LinkButton>}
        <LinkButton href="/alerts" variant="quiet" icon={<ChevronLeft aria-hidden="true" />}>
          All alerts
        </LinkButton>
      </div>
      {rule.lastError !== null && (
        <Callout status="warning" title="The last evaluation failed">
          {rule.lastError}
        </Callout>
      )}
      <LinesPanel
        title={rule.name}
        metric={`${metric}: ${formatCondition(rule)}`}
        exportName="alert"
        sources={[
          { ...scope, metric, lines: (series) => [lineFor(rule, formatLabels(series.labels))] },
          ...(whole === undefined ? [] : [{ ...scope, metric: whole, lines: [] }]),
        ]}
        thresholds={(answers) => thresholdOf(rule, answers)}
        heightPx={320}
      />
      <AlertHistory range={expressions} ruleId={rule.id} />
    </>
  );
}

function lineFor({ query, condition }: AlertRuleRow, label: string): LineSpec {
  const tone: ChartTone = query.where.tier?.includes("pod") ? "pod" : "stash";
  const column = columnOf(query.metric, condition);
  return { column, label: label || column, tone };
}

const columnsOfKind = { gauge: "last", counter: "increase", histogram: "max" } as const;

function columnOf(metric: MetricName, condition: AlertRuleRow["condition"]): LineSpec["column"] {
  if (condition.kind === "percentile") return condition.percentile;
  return condition.kind === "threshold" ? condition.statistic : columnsOfKind[metricCatalogue[metric].kind];
}

/** Only where the chart's axis can show it: rates and times to full are of another one, and shares differ by group. */
function thresholdOf(rule: AlertRuleRow, answers: readonly MetricAnswer[]): ChartThreshold[] {
  const { condition } = rule;
  if (condition.kind !== "threshold" && condition.kind !== "percentile") return [];
  // Each group's own usual is another line; this is the one for all.
  const absolute = condition.kind === "percentile" ? { ...condition, usual: undefined } : condition;
  const label = formatCondition({ query: rule.query, condition: absolute });
  if (condition.kind === "percentile" || condition.shareOf === undefined) {
    return [{ value: condition.threshold, label, tone: "bad" }];
  }
  const whole = answers[1]?.series.length === 1 ? lastOf(answers[1]) : null;
  return whole === null ? [] : [{ value: whole * condition.threshold, label, tone: "bad" }];
}
