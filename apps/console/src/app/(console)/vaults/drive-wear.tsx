"use client";
import type { NodeRow } from "@stashlight/contracts/node";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../client/trpc.tsx";
import { LinesPanel } from "../charts/panels.tsx";
import type { DriveFacts } from "./drive-facts.ts";

interface DriveWearProps {
  readonly node: NodeRow;
  readonly device: string;
  readonly facts: Pick<DriveFacts, "writeAmplification">;
}

/** Forecast of when an SSD is worn out, and its write amplification if it reports it. */
export function DriveWear({ node, device, facts }: DriveWearProps) {
  const trpc = useTRPC();
  const forecast = useQuery(trpc.forecast.wear.queryOptions({ nodeId: node.id, device }));
  return (
    <>
      {forecast.data != null && <p>{forecast.data.sentence}</p>}
      {facts.writeAmplification !== null && (
        <LinesPanel
          title="How much does it write per byte of its hosts?"
          metric="write amplification over the drive's lifetime"
          exportName={`write-amplification-${node.name}-${device}`}
          sources={[
            {
              metric: "stashlight_device_write_amplification",
              where: { device: [device] },
              nodeIds: [node.id],
              lines: [{ column: "avg", label: "bytes written to flash", tone: "stash", hasBand: false }],
            },
          ]}
        />
      )}
    </>
  );
}
