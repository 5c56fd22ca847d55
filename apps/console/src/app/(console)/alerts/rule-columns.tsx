"use client";
import type { AlertRuleRow } from "@stashlight/contracts/alert";
import { UiLink } from "@stashlight/ui";
import { numberColumn, textColumn, timeColumn } from "@stashlight/ui/columns";
import { Badge, StatusDot } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";
import { ruleState } from "../../../client/alerts.ts";

const Standing = ({ rule }: { rule: AlertRuleRow }) => {
  const { label, status } = ruleState(rule);
  return (
    <span title={rule.lastError ?? undefined}>
      <StatusDot status={status} label={label} />
    </span>
  );
};

export const ruleColumns: Column<AlertRuleRow>[] = [
  textColumn("name", "Rule", (rule) => rule.name, {
    hideable: false,
    cell: (rule) => (
      <UiLink href={`/alerts/${rule.id}`} className="font-medium">
        {rule.name}
      </UiLink>
    ),
  }),
  textColumn("state", "State", (rule) => ruleState(rule).label, {
    cell: (rule) => <Standing rule={rule} />,
  }),
  textColumn("condition", "Fires at", (rule) => rule.sentence, {
    // Wraps, so that all columns are visible at 1440 px.
    cell: (rule) => <span className="block max-w-70 whitespace-normal">{rule.sentence}</span>,
  }),
  textColumn("severity", "Severity", (rule) => rule.severity, {
    // Shown without colour, which is reserved for firing alerts.
    cell: (rule) => <Badge className="capitalize">{rule.severity}</Badge>,
  }),
  textColumn("by", "Grouped by", (rule) => rule.query.groupBy.join(", ") || "nothing"),
  numberColumn("groups", "Groups", (rule) => rule.groupCount),
  textColumn("metric", "Metric", (rule) => rule.query.metric, {
    hiddenAtFirst: true,
    cell: (rule) => <code className="font-mono text-sm">{rule.query.metric}</code>,
  }),
  timeColumn(
    "looked",
    "Evaluated",
    (rule) => rule.evaluatedAt,
    { show: "relative", missing: "not yet" },
    { filterable: false },
  ),
];
