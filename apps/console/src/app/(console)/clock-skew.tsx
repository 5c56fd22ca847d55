"use client";
import type { NodeRow } from "@stashlight/contracts/node";
import { Callout } from "@stashlight/ui/feedback";
import { describeClocks, formatSkew, skewWarningMs } from "../../client/nodes.ts";

/** Offset of a node's clock from the server's. */
export function ClockSkew({ skewMs }: Pick<NodeRow, "skewMs">) {
  if (skewMs === null) return <span className="text-faint">–</span>;
  const isLarge = Math.abs(skewMs) > skewWarningMs;
  return (
    <span
      className={isLarge ? "font-medium text-warning" : undefined}
      title={isLarge ? "Correct this node's clock: its measurements carry the wrong time." : undefined}
    >
      {formatSkew(skewMs)}
    </span>
  );
}

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
