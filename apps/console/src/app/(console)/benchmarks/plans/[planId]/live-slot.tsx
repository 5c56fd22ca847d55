"use client";
import type { BenchmarkPlanRow, BenchmarkRunRow, BenchmarkSlotRow } from "@stashlight/contracts/benchmark";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { useNow } from "@stashlight/ui";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { Badge, ProgressBar } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleStop } from "lucide-react";
import { useState } from "react";
import { formatDuration } from "../../../../../client/duration.ts";
import { describeError } from "../../../../../client/errors.ts";
import { useTRPC } from "../../../../../client/trpc.tsx";
import { benchmarkStatus, formatRun, formatTimeLeft } from "../../format-plan.ts";

interface LiveSlotProps {
  plan: BenchmarkPlanRow;
  slot: BenchmarkSlotRow;
  role: Role;
}

/**
 * Slot in progress: the state of each endpoint, and the progress and estimated time left of the one
 * being measured.
 */
export function LiveSlot({ plan, slot, role }: LiveSlotProps) {
  const [isCancelling, setCancelling] = useState(false);
  const mayCancel = roleIncludes(role, "operator");
  return (
    <Section
      title="In progress"
      card
      actions={
        mayCancel && (
          <Button icon={<CircleStop />} onClick={() => setCancelling(true)}>
            Cancel run
          </Button>
        )
      }
    >
      <div aria-live="polite" className="flex flex-col gap-3">
        {slot.runs.length === 0 && <Waiting beginsAt={slot.beginsAt} />}
        {slot.runs.map((run) => (
          <LiveRun key={run.id} run={run} />
        ))}
      </div>
      <CancelDialog plan={plan} slot={slot} open={isCancelling} onOpenChange={setCancelling} />
    </Section>
  );
}

function Waiting({ beginsAt }: Pick<BenchmarkSlotRow, "beginsAt">) {
  const nowMs = useNow(1_000);
  const waitMs = nowMs === null || beginsAt === null ? 0 : beginsAt.getTime() - nowMs;
  const label = waitMs > 0 ? `Starts in ${formatDuration(waitMs)}` : "Waiting for the vantage point";
  return <ProgressBar label={label} value={null} />;
}

function LiveRun({ run }: { run: BenchmarkRunRow }) {
  const nowMs = useNow(1_000);
  if (run.state !== "running") {
    return (
      <p className="flex flex-wrap items-baseline gap-x-2">
        <Badge status={benchmarkStatus[run.state]} className="capitalize">
          {run.state}
        </Badge>
        {run.endpointName}
        {run.outcome !== null && <span className="text-muted">{run.outcome}</span>}
      </p>
    );
  }
  const left = nowMs === null ? "" : formatTimeLeft(run, nowMs);
  const percent = `${Math.round(run.progress * 100)} %`;
  const detail = [run.progressText, percent, `${run.sampleCount} samples`, left].filter(Boolean).join(" · ");
  return <ProgressBar label={run.endpointName} value={run.progress} detail={detail} />;
}

interface CancelDialogProps {
  plan: BenchmarkPlanRow;
  slot: BenchmarkSlotRow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function CancelDialog({ plan, slot, open, onOpenChange }: CancelDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const cancel = useMutation(trpc.benchmarkRun.cancelSlot.mutationOptions());
  const measured = slot.runs.map((run) => `${run.endpointName}: ${formatRun(run)}`).join("; ");
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Cancel this run of ${plan.name}?`}
      consequence={
        <>
          The run ends for all endpoints, because a partial slot cannot be compared. Samples measured so far
          stay, and uploaded objects are deleted. Slots that were queued by hand after it are cancelled too.
          {measured !== "" && <span className="mt-2 block">{measured}.</span>}
        </>
      }
      confirmLabel="Cancel run"
      describeError={describeError}
      onConfirm={async () => {
        await cancel.mutateAsync({ planId: plan.id, plannedAtMs: slot.plannedAt.getTime() });
        await Promise.all([
          queryClient.invalidateQueries(trpc.benchmarkPlan.pathFilter()),
          queryClient.invalidateQueries(trpc.benchmarkRun.pathFilter()),
        ]);
      }}
    />
  );
}
