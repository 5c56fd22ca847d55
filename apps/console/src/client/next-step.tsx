"use client";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { EmptyState } from "@stashlight/ui/feedback";
import { Button, LinkButton } from "@stashlight/ui/form";
import type { ReactNode } from "react";
import { useTimeRange } from "./url-state.ts";

export type Step = { readonly label: string } & ({ readonly href: string } | { readonly onTake: () => void });

interface NextStepProps {
  readonly icon?: ReactNode;
  readonly title: string;
  /** Reason for the empty state, and the benefit of the step. */
  readonly children: ReactNode;
  readonly step: Step;
  /** Roles that may take the step, and the reader's role; if omitted, every reader may take it. */
  readonly needs?: { readonly role: Role; readonly own: Role };
}

/** Empty state with its reason and the step that fills it; other readers see which role may take it. */
export function NextStep({ icon, title, children, step, needs }: NextStepProps) {
  const mayTake = needs === undefined || roleIncludes(needs.own, needs.role);
  return (
    <EmptyState icon={icon} title={title} action={mayTake && <StepButton step={step} />}>
      {children}
      {!mayTake && ` You need the ${needs.role} role for it; yours is ${needs.own}.`}
    </EmptyState>
  );
}

function StepButton({ step }: { readonly step: Step }) {
  if ("href" in step) return <LinkButton href={step.href}>{step.label}</LinkButton>;
  return <Button onClick={step.onTake}>{step.label}</Button>;
}

const longer = { from: "now-30d", to: "now" } as const;

/** Step for a page that has nothing in its time range. */
export function useLongerRange(): Step {
  const { setValue } = useTimeRange(longer);
  return { label: "Show the last 30 days", onTake: () => setValue(longer) };
}
