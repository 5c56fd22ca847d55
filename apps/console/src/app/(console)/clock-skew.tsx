"use client";
import type { NodeRow } from "@stashlight/contracts/node";
import { formatSkew, skewWarningMs } from "../../client/clocks.ts";

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
