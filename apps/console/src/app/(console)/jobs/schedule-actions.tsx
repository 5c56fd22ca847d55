"use client";
import type { ScheduleRow } from "@stashlight/contracts/process/schedule";
import type { Role } from "@stashlight/contracts/user/roles";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { Button } from "@stashlight/ui/form";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pause, Play, SkipForward } from "lucide-react";
import { useId, useState } from "react";
import { describeError } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";

interface ScheduleActionsProps {
  schedule: ScheduleRow;
  role: Role;
  /** The one schedule's "Run now" is the page's primary action; among several none is. */
  isOnly: boolean;
}

const lacking: Record<Role, string | null> = {
  viewer: "You need the operator role to run a job, and the admin role to pause it.",
  operator: "You need the admin role to pause a job.",
  admin: null,
};

export function ScheduleActions({ schedule, role, isOnly }: ScheduleActionsProps) {
  const { runNow, resume, refresh } = useScheduleMutations(schedule);
  const [pausing, setPausing] = useState(false);
  const reasonId = useId();
  const reason = lacking[role];
  const state = schedule.lastRun?.state;
  const isBusy = state === "queued" || state === "running";
  const describedBy = reason === null ? {} : { "aria-describedby": reasonId };
  const mayPause = role === "admin";
  return (
    <div className="flex flex-col gap-1 sm:items-end">
      <div className="flex flex-wrap gap-2">
        {schedule.paused ? (
          <Button
            icon={<SkipForward />}
            disabled={!mayPause}
            pending={resume.isPending}
            onClick={resume.run}
            {...describedBy}
          >
            Resume
          </Button>
        ) : (
          <Button icon={<Pause />} disabled={!mayPause} onClick={() => setPausing(true)} {...describedBy}>
            Pause
          </Button>
        )}
        <Button
          variant={isOnly ? "primary" : "secondary"}
          icon={<Play />}
          disabled={role === "viewer"}
          pending={runNow.isPending || isBusy}
          onClick={runNow.run}
          {...describedBy}
        >
          Run now
        </Button>
      </div>
      {reason !== null && (
        <p id={reasonId} className="text-sm text-faint">
          {reason}
        </p>
      )}
      <PauseDialog schedule={schedule} open={pausing} onOpenChange={setPausing} onDone={refresh} />
    </div>
  );
}

function useScheduleMutations(schedule: ScheduleRow) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const runNow = useMutation(trpc.schedule.runNow.mutationOptions());
  const resume = useMutation(trpc.schedule.resume.mutationOptions());
  const input = { scheduleId: schedule.id };
  const refresh = () => queryClient.invalidateQueries(trpc.schedule.pathFilter());
  const report = (done: string, description: string, failed: string) => ({
    onSuccess: () => toast({ title: done, description, status: "good" as const }),
    onError: (error: unknown) =>
      toast({ title: failed, description: describeError(error), status: "bad" as const }),
    onSettled: () => void refresh(),
  });
  return {
    refresh,
    runNow: {
      isPending: runNow.isPending,
      run: () =>
        runNow.mutate(
          input,
          report(
            "Run queued",
            "A worker starts it in a moment; the history shows its progress.",
            "The job was not run",
          ),
        ),
    },
    resume: {
      isPending: resume.isPending,
      run: () =>
        resume.mutate(
          input,
          report("Schedule resumed", "It runs on schedule again.", "The schedule was not resumed"),
        ),
    },
  };
}

interface PauseDialogProps {
  schedule: ScheduleRow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDone: () => Promise<unknown>;
}

function PauseDialog({ schedule, open, onOpenChange, onDone }: PauseDialogProps) {
  const trpc = useTRPC();
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
        await pause.mutateAsync({ scheduleId: schedule.id });
        await onDone();
        toast({ title: "Schedule paused", description: schedule.name, status: "good" });
      }}
    />
  );
}
