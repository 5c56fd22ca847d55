"use client";
import { type AlertRuleRow, formatLabels, formatReminders } from "@stashlight/contracts/alert";
import { lazyPart } from "@stashlight/ui";
import { Badge, Callout, Skeleton, StatusDot } from "@stashlight/ui/feedback";
import { LinkButton } from "@stashlight/ui/form";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { ruleState } from "../../../../client/alerts.ts";
import { FIRING_REFETCH_MS, severityStatus } from "../../../../client/firing-count.ts";
import { latestAnswerMs } from "../../../../client/metrics/asked-time.ts";
import { usePageTime } from "../../../../client/metrics/page-time.tsx";
import { useAskedTime } from "../../../../client/metrics/use-asked-time.ts";
import { useChartEvents } from "../../../../client/metrics/use-events.ts";
import { useScope } from "../../../../client/metrics/use-scope.ts";
import { usePageTitle } from "../../../../client/page-title.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { MetricPage } from "../../charts/metric-page.tsx";
import { QueryError } from "../../query-state.tsx";
import { AlertHistory } from "../history.tsx";
import { labelsOfGroup } from "./group.ts";

// Loads the charting library in parallel with the page.
const EvaluatedPanel = lazyPart(async () => (await import("../evaluated-panel.tsx")).EvaluatedPanel);

const CHART_HEIGHT_PX = 320;

/** Chart of a rule's metric with its threshold; alert messages link here. */
export function RulePage({ ruleId }: { ruleId: string }) {
  const trpc = useTRPC();
  const rule = useQuery(trpc.alert.getRule.queryOptions({ ruleId }, { refetchInterval: FIRING_REFETCH_MS }));
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
  const { label, status } = ruleState(rule);
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
  const trpc = useTRPC();
  const { expressions, nowMs, measuredSinceMs, isLive, zoom } = usePageTime();
  const events = useChartEvents();
  const { range, moveOn } = useAskedTime();
  const { asked } = useScope();
  const [group] = useQueryState("group", parseAsString);
  const labels = labelsOfGroup(rule.query.groupBy, group);
  const where = formatLabels(labels);
  const replay = useQuery(
    trpc.alert.replay.queryOptions(
      { ruleId: rule.id, labels, vaults: asked, ...range },
      { placeholderData: keepPreviousData },
    ),
  );
  moveOn(latestAnswerMs([replay]));
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
      <EvaluatedPanel
        title={rule.name}
        rule={rule}
        replay={replay.data}
        range={range}
        events={events}
        measuredSinceMs={measuredSinceMs}
        isLive={isLive}
        nowMs={nowMs}
        onZoom={zoom}
        error={
          replay.data === undefined && replay.isError ? (
            <QueryError what="The figures" error={replay.error} onRetry={() => void replay.refetch()} />
          ) : undefined
        }
        heightPx={CHART_HEIGHT_PX}
        fallback={<Skeleton width="100%" height={CHART_HEIGHT_PX} />}
      />
      <AlertHistory range={expressions} ruleId={rule.id} />
    </>
  );
}
