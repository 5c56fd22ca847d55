import { Section } from "@stashlight/ui/layout";
import type { ReactNode } from "react";

interface CapacitySectionProps {
  readonly description?: string | undefined;
  readonly children: ReactNode;
}

/** Reserves the space of its two tiles before they are loaded, so that the sections below do not move. */
export function CapacitySection({ description, children }: CapacitySectionProps) {
  return (
    <Section title="Capacity" {...(description === undefined ? {} : { description })}>
      <div className="min-h-52 md:min-h-37">{children}</div>
    </Section>
  );
}
