"use client";
import type { LiveInputs } from "@stashlight/contracts/planner";
import { type PlanGroup, planGroups } from "@stashlight/planner";
import { Checkbox } from "@stashlight/ui/form";
import { useMemo } from "react";
import { findField, plainFields } from "./draft.ts";
import { DriveChoice } from "./drive-choice.tsx";
import { type LiveOffers, liveOffers } from "./live.ts";
import { isMeasuredName } from "./measured-drives.ts";
import { MixTable } from "./mix-table.tsx";
import { ModelChoice } from "./model-choice.tsx";
import { PlanFieldInput } from "./plan-field.tsx";
import type { PlanState } from "./use-plan.ts";

interface PlanFormProps {
  readonly plan: PlanState;
  readonly live: LiveInputs | undefined;
}

/**
 * Sections that are open at first. The others stay closed until they are opened or contain an
 * error.
 */
const openAtFirst: ReadonlySet<PlanGroup> = new Set(["objects", "load", "residence", "installed"]);
const none: LiveOffers = {};

export function PlanForm({ plan, live }: PlanFormProps) {
  const offers = useMemo(() => (live === undefined ? none : liveOffers(live)), [live]);
  return (
    <div className="flex flex-col gap-3">
      {planGroups.map(({ id, label }) => (
        <Group key={id} id={id} label={label} plan={plan} live={live} offers={offers} />
      ))}
    </div>
  );
}

interface GroupProps extends PlanFormProps {
  readonly id: PlanGroup;
  readonly label: string;
  readonly offers: LiveOffers;
}

function Group({ id, label, plan, live, offers }: GroupProps) {
  const fields = plainFields.filter(({ group }) => group === id);
  const wrong = plan.problems.filter(
    ({ field }) => findField(field)?.group === id || (id === "objects" && field === "objects"),
  );
  const isOfMeasurement = id === "drive" && isMeasuredName(plan.draft.texts["drive.name"] ?? "");
  return (
    <details
      open={openAtFirst.has(id) || wrong.length > 0 || isOfMeasurement}
      className="rounded-md border border-line bg-surface"
    >
      <summary className="px-4 py-2.5 text-md font-semibold text-ink">
        {label}
        {wrong.length > 0 && (
          <span className="ml-2 text-sm font-normal text-bad">
            {wrong.length === 1 ? "one field to correct" : `${wrong.length} fields to correct`}
          </span>
        )}
      </summary>
      <div className="flex flex-col gap-4 border-t border-line px-4 py-3">
        {id === "objects" && <MixTable plan={plan} live={live} />}
        {id === "durability" && <ModelChoice plan={plan} />}
        {id === "drive" && <DriveChoice plan={plan} />}
        {id === "installed" && (
          <Checkbox
            label="A pool is installed"
            hint="The answer then shows whether it suffices, and for how long."
            checked={plan.draft.hasInstalled}
            onCheckedChange={plan.setInstalled}
          />
        )}
        {(id !== "installed" || plan.draft.hasInstalled) &&
          fields.map((field) => (
            <PlanFieldInput
              key={field.path}
              field={field}
              plan={plan}
              offer={offers[field.path]}
              live={live}
            />
          ))}
      </div>
    </details>
  );
}
