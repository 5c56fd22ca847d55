"use client";
import {
  type DriveState,
  driveStates,
  driveStateWords,
  type FleetDriveRow,
} from "@stashlight/contracts/failure-rate";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { Button } from "@stashlight/ui/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { describeError } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";

const consequences: Record<DriveState, string> = {
  failed:
    "It counts as a failure of its model: the model's failure rate rises, and the nines of vaults with such drives fall.",
  retired: "It leaves the fleet without a failure. Its drive days still count.",
  "in-use": "It no longer counts as a failure.",
};

const driveName = ({ model, serial, node, device }: FleetDriveRow): string =>
  serial === "" ? `${device} of ${node}` : `${model} ${serial}`.trim();

interface DriveMarksProps {
  readonly drive: FleetDriveRow;
  readonly onMarked: () => Promise<unknown>;
}

/** Buttons for the states that the drive is not in. */
export function DriveMarks({ drive, onMarked }: DriveMarksProps) {
  const trpc = useTRPC();
  const mark = useMutation(trpc.failureRate.mark.mutationOptions());
  const [asked, setAsked] = useState<DriveState | null>(null);
  const name = driveName(drive);
  return (
    <span className="inline-flex gap-1">
      {driveStates
        .filter((state) => state !== drive.state)
        .map((state) => (
          <Button
            key={state}
            variant="quiet"
            size="sm"
            aria-label={`Mark ${name} as ${driveStateWords[state].toLowerCase()}`}
            onClick={() => setAsked(state)}
          >
            {driveStateWords[state]}
          </Button>
        ))}
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={() => setAsked(null)}
        title={`Mark ${name} as ${driveStateWords[asked ?? "failed"].toLowerCase()}?`}
        consequence={consequences[asked ?? "failed"]}
        confirmLabel={`Mark as ${driveStateWords[asked ?? "failed"].toLowerCase()}`}
        danger={asked === "failed"}
        describeError={describeError}
        onConfirm={async () => {
          if (asked === null) return;
          await mark.mutateAsync({ drive: drive.id, state: asked });
          await onMarked();
        }}
      />
    </span>
  );
}
