"use client";
import type { AlertRuleRow } from "@stashlight/contracts/alert";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { EmptyState } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { DataTable } from "@stashlight/ui/table";
import type { UseQueryResult } from "@tanstack/react-query";
import { BellRing } from "lucide-react";
import { isNotApplicable, ruleState } from "../../../client/alerts.ts";
import { useTableState } from "../../../client/url-state.ts";
import { QueryError } from "../query-state.tsx";
import { ruleColumns } from "./rule-columns.tsx";
import { RuleMenu } from "./rule-menu.tsx";
import type { SilenceSubject } from "./silence-dialog.tsx";

interface RulesProps {
  rules: UseQueryResult<AlertRuleRow[], unknown>;
  role: Role;
  onEdit: (rule: AlertRuleRow) => void;
  onSilence: ((subject: SilenceSubject) => void) | null;
}

const tableOptions = { columns: ruleColumns, prefix: "rules-" } as const;

export function Rules({ rules, role, onEdit, onSilence }: RulesProps) {
  const [state, setState] = useTableState(tableOptions);
  const hasFailed = rules.isError && rules.data === undefined;
  const listed = (rules.data ?? []).toSorted((a, b) => ruleState(a).rank - ruleState(b).rank);
  const notApplicable = listed.filter(isNotApplicable);
  const shared = {
    columns: ruleColumns,
    rowKey: (rule: AlertRuleRow) => rule.id,
    state,
    onStateChange: setState,
    rowActions: (rule: AlertRuleRow) => (
      <RuleMenu rule={rule} role={role} onEdit={onEdit} onSilence={onSilence} />
    ),
  };
  return (
    <Section
      title="Rules"
      description={
        roleIncludes(role, "admin")
          ? undefined
          : "You need the admin role to change a rule, and the operator role to silence one."
      }
    >
      <DataTable
        {...shared}
        label="Alert rules"
        rows={listed.filter((rule) => !isNotApplicable(rule))}
        status={rules.isPending ? "loading" : hasFailed ? "error" : "ready"}
        error={<QueryError what="The rules" error={rules.error} onRetry={() => void rules.refetch()} />}
        empty={
          <EmptyState icon={<BellRing />} title="No rules yet">
            A worker creates the built-in rules when it first starts. Start one to see them here.
          </EmptyState>
        }
        exportName="alert-rules"
        skeletonRowCount={9}
      />
      {notApplicable.length > 0 && (
        <details>
          <summary className="cursor-pointer rounded-sm text-muted">
            {notApplicable.length} {notApplicable.length === 1 ? "rule is" : "rules are"} not applicable:
            nothing reports the metric {notApplicable.length === 1 ? "it watches" : "they watch"}
          </summary>
          <DataTable
            {...shared}
            label="Rules that are not applicable"
            rows={notApplicable}
            status="ready"
            empty={null}
            exportName="alert-rules-not-applicable"
          />
        </details>
      )}
    </Section>
  );
}
