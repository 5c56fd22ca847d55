"use client";
import type { NodeRow } from "@stashlight/contracts/node";
import { Time } from "@stashlight/ui/data";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { FigurePanel } from "@stashlight/ui/figure";
import { Section } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";
import { peersFigure, peersStatus } from "./peers-figure.ts";

const TITLE = "Is it slower than its peers?";
/** Verdicts cover hours of syncs, so they change slowly. */
const REFETCH_MS = 300_000;

/**
 * Verdict on a drive, compared with drives in the same role at the same load, with the evidence.
 */
export function PeersSection({ node, device }: { node: NodeRow; device: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.drive.judgePeers.queryOptions({ nodeId: node.id, device }, { refetchInterval: REFETCH_MS }),
  );
  return (
    <Section
      title={TITLE}
      description="Compares its last two days with the last seven days of the vault's drives in the same role, at the same throughput and queue."
    >
      {data === undefined ? (
        error === null ? (
          <Skeleton height={280} />
        ) : (
          <QueryError what="The comparison with its peers" error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <Callout status={peersStatus[data.state]}>
            {data.sentence}
            {data.sinceMs !== null && (
              <>
                {" "}
                Slow since <Time value={data.sinceMs} show="absolute" />.
              </>
            )}
          </Callout>
          {data.quarantine !== null && (
            <Callout title={node.role === "stash" ? `vault quarantine ${device}` : "No quarantine for a pod"}>
              {data.quarantine}
            </Callout>
          )}
          {data.curve.length > 0 && (
            <FigurePanel
              title="How long do syncs take at its load?"
              metric="mean of the syncs of ten minutes against the bytes written in them"
              figure={peersFigure(device, data)}
              exportName={`peers-${node.name}-${device}`}
            />
          )}
        </>
      )}
    </Section>
  );
}
