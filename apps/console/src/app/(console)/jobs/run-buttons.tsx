"use client";
import { Button } from "@stashlight/ui/form";
import { Pause, Play, SkipForward } from "lucide-react";

interface RunAction {
  readonly run: () => void;
  readonly isPending: boolean;
  readonly isDisabled: boolean;
}

interface RunButtonsProps {
  /** Schedule name, for screen readers. */
  readonly name: string;
  readonly isPaused: boolean;
  readonly runNow: RunAction;
  readonly toggle: RunAction;
}

/** Runs and pauses a row's schedule, for jobs and benchmarks. */
export function RunButtons({ name, isPaused, runNow, toggle }: RunButtonsProps) {
  const verb = isPaused ? "Resume" : "Pause";
  return (
    <>
      <Button
        variant="quiet"
        size="sm"
        icon={<Play />}
        aria-label={`Run ${name} now`}
        title="Run now"
        pending={runNow.isPending}
        disabled={runNow.isDisabled}
        onClick={runNow.run}
      />
      <Button
        variant="quiet"
        size="sm"
        icon={isPaused ? <SkipForward /> : <Pause />}
        aria-label={`${verb} ${name}`}
        title={verb}
        pending={toggle.isPending}
        disabled={toggle.isDisabled}
        onClick={toggle.run}
      />
    </>
  );
}
