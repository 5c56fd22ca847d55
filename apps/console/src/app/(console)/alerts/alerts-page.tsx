"use client";
import type { AlertRuleRow } from "@stashlight/contracts/alert";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { lazyPart } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { TimeRangePicker } from "@stashlight/ui/time-range";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { FIRING_REFETCH_MS } from "../../../client/firing-count.ts";
import { readTimeRange } from "../../../client/read-time-range.ts";
import { renderDialog } from "../../../client/render-dialog.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { useTimeRange } from "../../../client/url-state.ts";
import { type DialogState, useDialog } from "../../../client/use-dialog.ts";
import type { AcknowledgeSubject } from "./acknowledge-dialog.tsx";
import type { SilenceSubject } from "./silence-dialog.tsx";

// Fetched when this file runs, so that it loads in parallel with the page instead of a round trip later.
const Firing = lazyPart(async () => (await import("./firing.tsx")).Firing);
Firing.preload();
// Opened by a button, or below the initial viewport.
const RuleDialog = lazyPart(async () => (await import("./rule-dialog.tsx")).RuleDialog);
const AcknowledgeDialog = lazyPart(async () => (await import("./acknowledge-dialog.tsx")).AcknowledgeDialog);
const SilenceDialog = lazyPart(async () => (await import("./silence-dialog.tsx")).SilenceDialog);
const Rules = lazyPart(async () => (await import("./rules.tsx")).Rules);
const Silences = lazyPart(async () => (await import("./silences.tsx")).Silences);
const Annotations = lazyPart(async () => (await import("./annotations.tsx")).Annotations);
const AlertHistory = lazyPart(async () => (await import("./history.tsx")).AlertHistory);

const refetchMs = 5_000;
const weekRange = { from: "now-7d", to: "now" };

export function AlertsPage({ role }: { role: Role }) {
  const trpc = useTRPC();
  const range = useTimeRange(weekRange);
  const firing = useQuery(
    trpc.alert.listFiring.queryOptions(undefined, { refetchInterval: FIRING_REFETCH_MS }),
  );
  const rules = useQuery(trpc.alert.listRules.queryOptions(undefined, { refetchInterval: refetchMs }));
  const silences = useQuery(trpc.alert.listSilences.queryOptions(undefined, { refetchInterval: refetchMs }));
  const silence = useDialog<SilenceSubject>();
  const acknowledgement = useDialog<AcknowledgeSubject>();
  const editor = useDialog<AlertRuleRow | "new">();
  const mayEdit = roleIncludes(role, "admin");
  const isOperator = roleIncludes(role, "operator");
  const onSilence = isOperator ? silence.show : null;
  return (
    <Page>
      <PageHeader
        title="Alerts"
        description="Alerts that are firing, their history, and the rules behind them."
        action={
          mayEdit && (
            <Button variant="primary" icon={<Plus />} onClick={() => editor.show("new")}>
              New rule
            </Button>
          )
        }
        timeRange={<TimeRangePicker value={range.value} onChange={range.setValue} resolve={readTimeRange} />}
      />
      <Firing
        firing={firing}
        onSilence={onSilence}
        onAcknowledge={isOperator ? acknowledgement.show : null}
        fallback={<Skeleton height={240} />}
      />
      <Rules
        rules={rules}
        role={role}
        onEdit={editor.show}
        onSilence={onSilence}
        fallback={<Skeleton height={640} />}
      />
      <Silences
        silences={silences}
        rules={rules.data ?? []}
        mayPlan={isOperator}
        fallback={<Skeleton height={120} />}
      />
      <AlertHistory range={range.value} fallback={<Skeleton height={320} />} />
      <Annotations range={range.value} mayAdd={isOperator} fallback={<Skeleton height={160} />} />

      <AlertDialogs silence={silence} acknowledgement={acknowledgement} editor={editor} />
    </Page>
  );
}

interface AlertDialogsProps {
  readonly silence: DialogState<SilenceSubject>;
  readonly acknowledgement: DialogState<AcknowledgeSubject>;
  readonly editor: DialogState<AlertRuleRow | "new">;
}

function AlertDialogs({ silence, acknowledgement, editor }: AlertDialogsProps) {
  return (
    <>
      {renderDialog(silence, (subject, shown) => (
        <SilenceDialog subject={subject} {...shown} />
      ))}
      {renderDialog(acknowledgement, (subject, shown) => (
        <AcknowledgeDialog subject={subject} {...shown} />
      ))}
      {renderDialog(editor, (subject, shown) => (
        <RuleDialog rule={subject === "new" ? null : subject} {...shown} />
      ))}
    </>
  );
}
