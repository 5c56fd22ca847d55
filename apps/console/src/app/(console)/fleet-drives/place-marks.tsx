"use client";
import { driveStateWords } from "@stashlight/contracts/failure-rate";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { UiLink } from "@stashlight/ui";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../client/trpc.tsx";
import { DriveMarks } from "./drive-marks.tsx";

interface PlaceMarksProps {
  readonly nodeId: string;
  readonly device: string;
  readonly role: Role;
}

/**
 * Drives last recorded in one place, with buttons to mark them; nothing until the first hourly
 * recording.
 */
export function PlaceMarks({ nodeId, device, role }: PlaceMarksProps) {
  const trpc = useTRPC();
  const drives = useQuery(trpc.failureRate.ofPlace.queryOptions({ nodeId, device }));
  if (drives.data === undefined || drives.data.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {drives.data.map((drive) => (
        <li key={drive.id} className="flex flex-wrap items-center gap-x-3">
          <span>
            {drive.serial || drive.model || "This drive"}: {driveStateWords[drive.state].toLowerCase()}, seen
            on {drive.daysSeen} {drive.daysSeen === 1 ? "day" : "days"}, last on {drive.lastSeenOn}
          </span>
          {roleIncludes(role, "operator") && <DriveMarks drive={drive} onMarked={drives.refetch} />}
        </li>
      ))}
      <li>
        <UiLink href="/disks/failure-rates" className="underline">
          Failure rates of all models
        </UiLink>
      </li>
    </ul>
  );
}
