"use client";
import { DurabilityNow } from "./durability-now.tsx";
import { SpaceFigures } from "./vault-figures.tsx";

/** What lies below the first screen comes as one part, so that the page itself names fewer. */
export function DurabilityAndSpace() {
  return (
    <>
      <DurabilityNow />
      <SpaceFigures />
    </>
  );
}
