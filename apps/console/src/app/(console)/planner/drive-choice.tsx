"use client";
import { driveCatalogue } from "@stashlight/devices";
import { formatPlanBytes } from "@stashlight/planner";
import { UiLink } from "@stashlight/ui";
import { Callout } from "@stashlight/ui/feedback";
import { Field } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { useQuery } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { useEffect, useEffectEvent, useMemo } from "react";
import { useTRPC } from "../../../client/trpc.tsx";
import { findField, shownAs } from "./draft.ts";
import {
  burstWarning,
  type MeasuredDrive,
  measuredDrives,
  measuredName,
  measuredTexts,
} from "./measured-drives.ts";
import type { PlanState } from "./use-plan.ts";

const CUSTOM = "custom";
const rated = driveCatalogue.filter(
  ({ kind, driveWritesPerDay }) => kind === "ssd" && driveWritesPerDay !== null,
);

/** Form texts by path, from a drive's datasheet. */
function ratedTexts(drive: (typeof rated)[number]): Readonly<Record<string, string>> {
  const figures: Record<string, number> = {
    "drive.capacityBytes": drive.capacityBytes.value,
    "drive.writeBytesPerSecond": drive.writeBytesPerSecond.value,
    "drive.writeIops": drive.write4kIops.value,
    "drive.driveWritesPerDay": drive.driveWritesPerDay?.value ?? 1,
    "drive.warrantyYears": drive.warrantyYears.value,
  };
  const texts = Object.entries(figures).map(([path, value]) => [
    path,
    shownAs(findField(path) ?? { factor: 1 }, value),
  ]);
  return { "drive.name": `${drive.maker} ${drive.model}`, ...Object.fromEntries(texts) };
}

/** Takes a drive from the page's address once, and removes it from the address. */
function useDriveOfAddress(measured: readonly MeasuredDrive[] | undefined, plan: PlanState): void {
  const [driveId, setDriveId] = useQueryState("drive");
  const wanted = measured?.find(({ id }) => id === driveId);
  const take = useEffectEvent((drive: MeasuredDrive) => {
    plan.setTexts(measuredTexts(drive));
    void setDriveId(null);
  });
  useEffect(() => {
    if (wanted !== undefined) take(wanted);
  }, [wanted]);
}

/**
 * A catalogue drive fills every datasheet field, but neither syncs nor price. A measured drive fills the measured
 * fields at its sustained rate.
 */
export function DriveChoice({ plan }: { plan: PlanState }) {
  const trpc = useTRPC();
  const drives = useQuery(trpc.drive.list.queryOptions());
  const measured = useMemo(
    () => (drives.data === undefined ? undefined : measuredDrives(drives.data)),
    [drives.data],
  );
  useDriveOfAddress(measured, plan);
  const name = plan.draft.texts["drive.name"] ?? "";
  const ofPlan = measured?.find((each) => measuredName(each) === name);
  const warning = ofPlan === undefined ? null : burstWarning(ofPlan, plan.input, plan.answer);
  const chosen = ofPlan ?? rated.find(({ maker, model }) => name === `${maker} ${model}`);
  const choose = (id: string) => {
    const found = measured?.find((each) => each.id === id);
    if (found !== undefined) {
      plan.setTexts(measuredTexts(found));
      return;
    }
    const drive = rated.find((each) => each.id === id);
    if (drive === undefined) {
      plan.setTexts({ "drive.name": "Custom drive" });
      return;
    }
    plan.setTexts(ratedTexts(drive));
  };
  return (
    <>
      <Field
        label="From the catalogue, or measured"
        hint={
          <UiLink href="/planner/drives" className="underline">
            All drives, with source and date of each figure
          </UiLink>
        }
      >
        <Select
          options={[
            ...rated.map(({ id, maker, model, capacityBytes }) => ({
              value: id as string,
              label: `${maker} ${model}`,
              hint: formatPlanBytes(capacityBytes.value),
            })),
            ...(measured ?? []).map((drive) => ({
              value: drive.id,
              label: measuredName(drive),
              hint: `${drive.labels.provider ?? "a probe"}, at its sustained rate`,
            })),
            { value: CUSTOM, label: "A drive of your own" },
          ]}
          value={chosen?.id ?? CUSTOM}
          onValueChange={choose}
        />
      </Field>
      {warning !== null && (
        <Callout
          status={warning.isOutlasted ? "warning" : "info"}
          title={warning.isOutlasted ? "The plan outlasts the burst" : "A drive that bursts"}
        >
          {warning.sentence}
        </Callout>
      )}
    </>
  );
}
