import { Section } from "@stashlight/ui/layout";
import type { ReactNode } from "react";

interface CapacitySectionProps {
  readonly description?: string | undefined;
  readonly children: ReactNode;
}

/** Reserves the place of its two tiles while they load, so that sections below do not move. */
export function CapacitySection({ description, children }: CapacitySectionProps) {
  return (
    <Section title="Capacity" {...(description === undefined ? {} : { description })}>
      <div className="min-h-70 md:min-h-37">{children}</div>
    </Section>
  );
}
