import { Section } from "@stashlight/ui/layout";
import type { ReactNode } from "react";

interface CapacitySectionProps {
  readonly description?: string | undefined;
  readonly children: ReactNode;
}

/** Takes the room of its two tiles before they are there, so that what lies below does not move. */
export function CapacitySection({ description, children }: CapacitySectionProps) {
  return (
    <Section title="Capacity" {...(description === undefined ? {} : { description })}>
      <div className="min-h-52 md:min-h-37">{children}</div>
    </Section>
  );
}
