"use client";
import type { ScheduleRow } from "@stashlight/contracts/schedule";
import type { Role } from "@stashlight/contracts/user";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { describeError } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { useOutcome } from "../../../client/use-outcome.ts";
import { RunButtons } from "./run-buttons.tsx";

/** Note beside the buttons for each role. */
export const missingJobRights: Record<Role, string | undefined> = {
  viewer: "You need the operator role to run a job, and the admin role to pause it.",
  operator: "You need the admin role to pause a job.",
  admin: undefined,
};

/** Actions at the end of a schedule's row. */
export function ScheduleActions({ schedule, role }: { schedule: ScheduleRow; role: Role }) {
  const { runNow, resume } = useScheduleMutations(schedule);
  const [pausing, setPausing] = useState(false);
  const state = schedule.lastRun?.state;
  const isBusy = state === "queued" || state === "running";
  return (
    <span className="inline-flex">
      <RunButtons
        name={schedule.name}
        isPaused={schedule.paused}
        runNow={{ ...runNow, isPending: runNow.isPending || isBusy, isDisabled: role === "viewer" }}
        toggle={{
          run: schedule.paused ? resume.run : () => setPausing(true),
          isPending: resume.isPending,
          isDisabled: role !== "admin",
        }}
      />
      <PauseDialog schedule={schedule} open={pausing} onOpenChange={setPausing} />
    </span>
  );
}

function useScheduleMutations({ id: scheduleId }: ScheduleRow) {
  const trpc = useTRPC();
  const runNow = useMutation(trpc.schedule.runNow.mutationOptions());
  const resume = useMutation(trpc.schedule.pause.mutationOptions());
  const outcome = useOutcome(trpc.schedule.pathFilter());
  return {
    runNow: {
      isPending: runNow.isPending,
      run: () =>
        runNow.mutate(
          { scheduleId },
          outcome({
            done: "Run queued",
            description: "A worker starts it in a moment; the history shows its progress.",
            failed: "The job was not run",
          }),
        ),
    },
    resume: {
      isPending: resume.isPending,
      run: () =>
        resume.mutate(
          { scheduleId, isPaused: false },
          outcome({
            done: "Schedule resumed",
            description: "It runs on schedule again.",
            failed: "The schedule was not resumed",
          }),
        ),
    },
  };
}

interface PauseDialogProps {
  schedule: ScheduleRow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function PauseDialog({ schedule, open, onOpenChange }: PauseDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const pause = useMutation(trpc.schedule.pause.mutationOptions());
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Pause “${schedule.name}”?`}
      consequence="No run is planned until the schedule is resumed. Runs that fall due meanwhile are skipped. A run in progress continues."
      confirmLabel="Pause schedule"
      danger={false}
      describeError={describeError}
      onConfirm={async () => {
        await pause.mutateAsync({ scheduleId: schedule.id, isPaused: true });
        await queryClient.invalidateQueries(trpc.schedule.pathFilter());
        toast({ title: "Schedule paused", description: schedule.name, status: "good" });
      }}
    />
  );
}
