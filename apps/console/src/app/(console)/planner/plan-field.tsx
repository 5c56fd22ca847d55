"use client";
import type { LiveInputs } from "@stashlight/contracts/planner";
import type { PlanField } from "@stashlight/planner";
import { Badge } from "@stashlight/ui/feedback";
import { Button, Field, TextInput } from "@stashlight/ui/form";
import type { ReactNode } from "react";
import { formatOffer, formatSource, type LiveOffer } from "./live.ts";
import type { PlanState } from "./use-plan.ts";

export interface FleetChoice {
  readonly offer: LiveOffer | undefined;
  readonly live: LiveInputs | undefined;
}

interface PlanFieldInputProps extends FleetChoice {
  readonly field: PlanField;
  readonly plan: PlanState;
  readonly disabled?: boolean;
}

export function PlanFieldInput({ field, plan, offer, live, disabled }: PlanFieldInputProps) {
  const { path, label, unit, help, defaultFrom } = field;
  const isText = field.bounds === null;
  return (
    <Field
      label={
        <>
          {label}
          {unit !== "" && <span className="ml-1.5 font-normal text-faint">{unit}</span>}
        </>
      }
      error={plan.problems.find((problem) => problem.field === path)?.message}
      hint={
        <>
          <span title={`Source of the initial value: ${defaultFrom}`}>{help}</span>
          <FleetLine field={field} plan={plan} offer={offer} live={live} />
        </>
      }
    >
      <TextInput
        inputMode={isText ? "text" : "decimal"}
        autoComplete="off"
        disabled={disabled}
        value={plan.draft.texts[path] ?? ""}
        onChange={(event) => plan.type(path, event.target.value)}
      />
    </Field>
  );
}

function FleetLine({ field, plan, offer, live }: Omit<PlanFieldInputProps, "disabled">) {
  if (offer === undefined || live === undefined) return null;
  const isTaken = plan.fromFleet.has(field.path);
  if (offer.kind === "missing") return <FleetText isTaken={false}>Fleet: {offer.missing}</FleetText>;
  return (
    <FleetText isTaken={isTaken}>
      <span title={offer.source.source}>
        Fleet: {formatOffer(offer, field.unit)} · {formatSource(offer.source, field)}
      </span>{" "}
      <FleetButton
        isTaken={isTaken}
        name={field.label}
        onTake={() => plan.takeOne(field.path, live)}
        onOverride={() => plan.override(field.path)}
      />
    </FleetText>
  );
}

export function FleetText({ isTaken, children }: { isTaken: boolean; children: ReactNode }) {
  return (
    <span className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-muted print:hidden">
      {isTaken && <Badge status="info">From the fleet</Badge>}
      {children}
    </span>
  );
}

interface FleetButtonProps {
  readonly isTaken: boolean;
  readonly name: string;
  readonly onTake: () => void;
  readonly onOverride: () => void;
}

export function FleetButton({ isTaken, name, onTake, onOverride }: FleetButtonProps) {
  return isTaken ? (
    <Button size="sm" variant="quiet" aria-label={`Override ${name}`} onClick={onOverride}>
      Override
    </Button>
  ) : (
    <Button size="sm" variant="quiet" aria-label={`Use the fleet's ${name}`} onClick={onTake}>
      Use the fleet's
    </Button>
  );
}
