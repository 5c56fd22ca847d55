"use client";
import type { NodeRow } from "@stashlight/contracts/node";
import { Callout } from "@stashlight/ui/feedback";
import { describeClocks } from "../../client/describe-clocks.ts";

/** Explains why the measurements of these nodes are missing or at the wrong time. */
export function NodeClocksCallout({ nodes }: { nodes: readonly NodeRow[] }) {
  const clocks = describeClocks(nodes);
  if (clocks === null) return null;
  return (
    <Callout status="warning" title={clocks.title}>
      {clocks.effect}
    </Callout>
  );
}
