"use client";
import type { BenchmarkPlanRow } from "@stashlight/contracts/benchmark/plan";
import type { Role } from "@stashlight/contracts/user/roles";
import { roleIncludes } from "@stashlight/contracts/user/roles";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { Button } from "@stashlight/ui/form";
import { Menu } from "@stashlight/ui/menu";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ellipsis, Pause, Pencil, Play, SkipForward, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { describeError } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { isUnderWay } from "./plan-words.ts";

interface PlanActionsProps {
  plan: BenchmarkPlanRow;
  role: Role;
  /** On a page about one plan "Run now" is the primary action; among several plans there is none. */
  isOnly?: boolean;
  onEdit: () => void;
  onDeleted?: () => void;
}

export function PlanActions({ plan, role, isOnly = false, onEdit, onDeleted }: PlanActionsProps) {
  const { runNow, pause, resume } = usePlanMutations(plan);
  const [isDeleting, setDeleting] = useState(false);
  const reasonId = useId();
  const mayAct = roleIncludes(role, "operator");
  const limits = { disabled: !mayAct, ...(mayAct ? {} : { "aria-describedby": reasonId }) };
  const menuLabel = `Actions for ${plan.name}`;
  return (
    <div className="flex flex-col gap-1 sm:items-end">
      <div className="flex flex-wrap gap-2">
        {plan.isPaused ? (
          <Button icon={<SkipForward />} pending={resume.isPending} onClick={resume.run} {...limits}>
            Resume
          </Button>
        ) : (
          <Button icon={<Pause />} pending={pause.isPending} onClick={pause.run} {...limits}>
            Pause
          </Button>
        )}
        <Button
          variant={isOnly ? "primary" : "secondary"}
          icon={<Play />}
          pending={runNow.isPending}
          onClick={runNow.run}
          {...limits}
          disabled={!mayAct || isUnderWay(plan.lastSlot)}
        >
          Run now
        </Button>
        {mayAct && (
          <Menu
            label={menuLabel}
            align="end"
            trigger={<Button variant="quiet" icon={<Ellipsis />} aria-label={menuLabel} />}
            items={[
              { id: "edit", label: "Edit plan", icon: <Pencil />, onSelect: onEdit },
              { id: "line", separator: true },
              {
                id: "delete",
                label: "Delete plan",
                icon: <Trash2 />,
                danger: true,
                onSelect: () => setDeleting(true),
              },
            ]}
          />
        )}
      </div>
      {!mayAct && (
        <p id={reasonId} className="text-sm text-faint">
          You need the operator role to run, pause or change a plan.
        </p>
      )}
      <DeleteDialog plan={plan} open={isDeleting} onOpenChange={setDeleting} onDeleted={onDeleted} />
    </div>
  );
}

function usePlanMutations({ id: planId, name }: BenchmarkPlanRow) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const runNow = useMutation(trpc.benchmarkPlan.runNow.mutationOptions());
  const pause = useMutation(trpc.benchmarkPlan.pause.mutationOptions());
  const resume = useMutation(trpc.benchmarkPlan.resume.mutationOptions());
  const report = (done: string, description: string, failed: string) => ({
    onSuccess: () => toast({ title: done, description, status: "good" as const }),
    onError: (error: unknown) =>
      toast({ title: failed, description: describeError(error), status: "bad" as const }),
    onSettled: () => {
      void queryClient.invalidateQueries(trpc.benchmarkPlan.pathFilter());
      void queryClient.invalidateQueries(trpc.benchmarkRun.pathFilter());
    },
  });
  return {
    runNow: {
      isPending: runNow.isPending,
      run: () =>
        runNow.mutate(
          { planId },
          report(
            "Run queued",
            "It starts in a moment; the plan's page shows its progress.",
            "The plan was not run",
          ),
        ),
    },
    pause: {
      isPending: pause.isPending,
      run: () =>
        pause.mutate(
          { planId },
          report(
            `${name} is paused`,
            "Runs that fall due meanwhile are skipped. A run in progress continues.",
            "The plan was not paused",
          ),
        ),
    },
    resume: {
      isPending: resume.isPending,
      run: () =>
        resume.mutate(
          { planId },
          report(`${name} is resumed`, "It runs on schedule again.", "The plan was not resumed"),
        ),
    },
  };
}

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
      confirmLabel="Delete plan"
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
