"use client";
import type { BenchmarkPlanRow } from "@stashlight/contracts/benchmark";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { Button } from "@stashlight/ui/form";
import { Menu } from "@stashlight/ui/menu";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ellipsis, Pause, Pencil, Play, SkipForward, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { describeError } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { useOutcome } from "../../../client/use-outcome.ts";
import { RunButtons } from "../jobs/run-buttons.tsx";
import { isUnderWay } from "./format-plan.ts";

/** Note beside the buttons for a viewer. */
export const planRoleNeeded = "You need the operator role to run, pause or change a schedule.";

interface PlanActionsProps {
  plan: BenchmarkPlanRow;
  role: Role;
  onEdit: () => void;
  onDeleted?: () => void;
}

/** Actions on the page of one schedule. */
export function PlanActions({ plan, role, onEdit, onDeleted }: PlanActionsProps) {
  const { runNow, toggle } = usePlanMutations(plan);
  const reasonId = useId();
  const mayAct = roleIncludes(role, "operator");
  const limits = { disabled: !mayAct, ...(mayAct ? {} : { "aria-describedby": reasonId }) };
  return (
    <div className="flex flex-col gap-1 sm:items-end">
      <div className="flex flex-wrap gap-2">
        <Button
          icon={plan.isPaused ? <SkipForward /> : <Pause />}
          pending={toggle.isPending}
          onClick={toggle.run}
          {...limits}
        >
          {plan.isPaused ? "Resume" : "Pause"}
        </Button>
        <Button
          variant="primary"
          icon={<Play />}
          pending={runNow.isPending}
          onClick={runNow.run}
          {...limits}
          disabled={!mayAct || isUnderWay(plan.lastSlot)}
        >
          Run now
        </Button>
        {mayAct && <PlanMenu plan={plan} onEdit={onEdit} onDeleted={onDeleted} />}
      </div>
      {!mayAct && (
        <p id={reasonId} className="text-sm text-faint">
          {planRoleNeeded}
        </p>
      )}
    </div>
  );
}

/** Actions at the end of a schedule's row. */
export function PlanRowActions({ plan, role, onEdit }: Omit<PlanActionsProps, "onDeleted">) {
  const { runNow, toggle } = usePlanMutations(plan);
  const mayAct = roleIncludes(role, "operator");
  return (
    <span className="inline-flex">
      <RunButtons
        name={plan.name}
        isPaused={plan.isPaused}
        runNow={{ ...runNow, isDisabled: !mayAct || isUnderWay(plan.lastSlot) }}
        toggle={{ ...toggle, isDisabled: !mayAct }}
      />
      {mayAct && <PlanMenu plan={plan} onEdit={onEdit} size="sm" />}
    </span>
  );
}

interface PlanMenuProps extends Pick<PlanActionsProps, "plan" | "onEdit" | "onDeleted"> {
  size?: "sm" | "md";
}

function PlanMenu({ plan, onEdit, onDeleted, size = "md" }: PlanMenuProps) {
  const [isDeleting, setDeleting] = useState(false);
  const label = `Actions for ${plan.name}`;
  return (
    <>
      <Menu
        label={label}
        align="end"
        trigger={<Button variant="quiet" size={size} icon={<Ellipsis />} aria-label={label} />}
        items={[
          { id: "edit", label: "Edit schedule", icon: <Pencil />, onSelect: onEdit },
          { id: "line", separator: true },
          {
            id: "delete",
            label: "Delete schedule",
            icon: <Trash2 />,
            danger: true,
            onSelect: () => setDeleting(true),
          },
        ]}
      />
      <DeleteDialog plan={plan} open={isDeleting} onOpenChange={setDeleting} onDeleted={onDeleted} />
    </>
  );
}

function usePlanMutations({ id: planId, name, isPaused }: BenchmarkPlanRow) {
  const trpc = useTRPC();
  const runNow = useMutation(trpc.benchmarkPlan.runNow.mutationOptions());
  const pause = useMutation(trpc.benchmarkPlan.pause.mutationOptions());
  const outcome = useOutcome(trpc.benchmarkPlan.pathFilter(), trpc.benchmarkRun.pathFilter());
  return {
    runNow: {
      isPending: runNow.isPending,
      run: () =>
        runNow.mutate(
          { planId },
          outcome({
            done: "Run queued",
            description: "It starts in a moment; the schedule's page shows its progress.",
            failed: "The schedule was not run",
          }),
        ),
    },
    toggle: {
      isPending: pause.isPending,
      run: () =>
        pause.mutate({ planId, isPaused: !isPaused }, outcome(isPaused ? resumed(name) : paused(name))),
    },
  };
}

const paused = (name: string) => ({
  done: `${name} is paused`,
  description: "Runs that fall due meanwhile are skipped. A run in progress continues.",
  failed: "The schedule was not paused",
});
const resumed = (name: string) => ({
  done: `${name} is resumed`,
  description: "It runs on schedule again.",
  failed: "The schedule was not resumed",
});

interface DeleteDialogProps {
  plan: BenchmarkPlanRow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDeleted: (() => void) | undefined;
}

function DeleteDialog({ plan, open, onOpenChange, onDeleted }: DeleteDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(trpc.benchmarkPlan.delete.mutationOptions());
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete ${plan.name}?`}
      consequence="It no longer runs, and its list of slots is deleted. Its measurements stay."
      confirmLabel="Delete schedule"
      confirmText={plan.name}
      describeError={describeError}
      onConfirm={async () => {
        await remove.mutateAsync({ planId: plan.id, name: plan.name });
        onDeleted?.();
        await queryClient.invalidateQueries(trpc.benchmarkPlan.list.queryFilter());
      }}
    />
  );
}
