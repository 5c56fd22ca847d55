"use client";
import {
  type BucketView,
  type LifecyclePreview,
  type LifecycleRule,
  lifecycleRulesShownMax,
} from "@stashlight/contracts/bucket";
import { lazyWhenOpen } from "@stashlight/ui";
import { ActionMenu } from "@stashlight/ui/action-menu";
import { textColumn } from "@stashlight/ui/columns";
import { Badge, Callout, StatusDot } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useMemo } from "react";
import { renderDialog } from "../../../client/render-dialog.ts";
import { UrlTable } from "../../../client/url-table.tsx";
import { type DialogState, useDialog } from "../../../client/use-dialog.ts";
import { defaultAbortWords, describeActions, describeFilter } from "./describe-bucket.ts";
import { isEditable } from "./rule-form.ts";

const RuleDialog = lazyWhenOpen(async () => (await import("./rule-dialog.tsx")).RuleDialog);
const SaveDialog = lazyWhenOpen(async () => (await import("./save-dialog.tsx")).SaveDialog);

/** A change of a bucket's rules; `preview` is null for a change that only removes a rule. */
export interface RulesChange {
  readonly title: string;
  readonly ruleId: string;
  readonly rules: LifecycleRule[];
  readonly preview: LifecyclePreview | null;
}

/** `rule` is null for the default rule, which every bucket has. */
interface RuleRow {
  readonly id: string;
  readonly rule: LifecycleRule | null;
}

const columns: Column<RuleRow>[] = [
  textColumn("name", "Rule", ({ id }) => id, {
    hideable: false,
    sortable: false,
    cell: ({ id }) => <span className="wrap-anywhere">{id}</span>,
  }),
  textColumn("objects", "Applies to", ({ rule }) => (rule === null ? "all uploads" : describeFilter(rule)), {
    sortable: false,
    cell: ({ rule }) => (
      <span className="wrap-anywhere">{rule === null ? "all uploads" : describeFilter(rule)}</span>
    ),
  }),
  textColumn("action", "Action", ({ rule }) => (rule === null ? defaultAbortWords : describeActions(rule)), {
    sortable: false,
  }),
  textColumn("state", "State", ({ rule }) => (rule === null ? "default" : rule.isEnabled ? "on" : "off"), {
    sortable: false,
    cell: ({ rule }) =>
      rule === null ? (
        <Badge>default</Badge>
      ) : (
        <StatusDot status={rule.isEnabled ? "good" : "unknown"} label={rule.isEnabled ? "on" : "off"} />
      ),
  }),
];
const tableOptions = { columns, defaultSort: null, prefix: "rules-" } as const;

function listRows(rules: readonly LifecycleRule[]): RuleRow[] {
  const rows = rules.map((rule) => ({ id: rule.id, rule }));
  return [...rows, { id: "stashlight-default-abort-after-7-days", rule: null }];
}

interface RulesSectionProps {
  readonly vault: string;
  readonly bucket: string;
  readonly answer: BucketView;
  readonly mayChange: boolean;
}

export function RulesSection({ vault, bucket, answer, mayChange }: RulesSectionProps) {
  const { rules, revision } = answer;
  const editor = useDialog<LifecycleRule | "new">();
  const saving = useDialog<RulesChange>();
  const rows = useMemo(() => listRows(rules ?? []), [rules]);
  const areUnreadable = answer.bucket.lifecycleRuleCount === null;
  const isFull = rules !== null && rules.length >= lifecycleRulesShownMax;
  const mayAdd = mayChange && rules !== null && !isFull;
  return (
    <Section
      title="Lifecycle rules"
      description={
        mayChange
          ? "A coordinator carries them out once an hour. What a rule deletes cannot be restored."
          : "A coordinator carries them out once an hour. You need the operator role to change them."
      }
      actions={
        mayAdd && (
          <Button variant="primary" icon={<Plus />} onClick={() => editor.show("new")}>
            Add rule
          </Button>
        )
      }
    >
      {rules === null && <RulesNotShown count={answer.bucket.lifecycleRuleCount} />}
      {!areUnreadable && (
        <UrlTable
          label="Lifecycle rules"
          rows={rows}
          rowKey={({ id, rule }) => `${rule === null} ${id}`}
          table={tableOptions}
          manual
          filterBox={false}
          empty=""
          rowActions={({ rule }) =>
            rule !== null &&
            mayChange && <RuleMenu rule={rule} rules={rules ?? []} editor={editor} saving={saving} />
          }
        />
      )}
      {editor.subject !== null && rules !== null && (
        <RuleDialog
          key={`rule ${editor.key}`}
          vault={vault}
          bucket={bucket}
          rules={rules}
          rule={editor.subject === "new" ? null : editor.subject}
          open={editor.open}
          onOpenChange={editor.setOpen}
          onPreviewed={(change: RulesChange) => {
            editor.setOpen(false);
            saving.show(change);
          }}
        />
      )}
      {renderDialog(saving, (subject, shown) => (
        <SaveDialog vault={vault} bucket={bucket} revision={revision} change={subject} {...shown} />
      ))}
    </Section>
  );
}

function RulesNotShown({ count }: { readonly count: number | null }) {
  if (count === null) {
    return (
      <Callout status="warning" title="The coordinator cannot read the rules of this bucket.">
        A later version may have written them. Until the coordinators are updated, no object of the bucket
        expires and no upload is aborted. You can also replace all rules with aws s3api
        put-bucket-lifecycle-configuration.
      </Callout>
    );
  }
  return (
    <Callout status="info" title={`The bucket has ${count} rules.`}>
      The console shows and changes at most {lifecycleRulesShownMax}. Read them with aws s3api
      get-bucket-lifecycle-configuration.
    </Callout>
  );
}

interface RuleMenuProps {
  readonly rule: LifecycleRule;
  readonly rules: readonly LifecycleRule[];
  readonly editor: DialogState<LifecycleRule | "new">;
  readonly saving: DialogState<RulesChange>;
}

function RuleMenu({ rule, rules, editor, saving }: RuleMenuProps) {
  const label = `Actions for ${rule.id}`;
  const remove = () =>
    saving.show({
      title: `Remove the rule ${rule.id}?`,
      ruleId: rule.id,
      rules: rules.filter(({ id }) => id !== rule.id),
      preview: null,
    });
  return (
    <ActionMenu
      label={label}
      items={[
        ...(isEditable(rule)
          ? [{ id: "edit", label: "Edit rule", icon: <Pencil />, onSelect: () => editor.show(rule) }]
          : []),
        { id: "remove", label: "Remove rule", icon: <Trash2 />, danger: true, onSelect: remove },
      ]}
    />
  );
}
