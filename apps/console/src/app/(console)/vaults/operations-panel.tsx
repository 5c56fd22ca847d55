"use client";
import { Time } from "@stashlight/ui/data";
import { Callout, ProgressBar, Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import type { MetricsState } from "../../../client/metrics/use-metrics.ts";
import { useVaultState } from "../charts/use-vault-state.ts";
import { silentNodes } from "../charts/vault-state.ts";
import { QueryError } from "../query-state.tsx";
import { type Operation, type Operations, readOperations } from "./operations.ts";

/** Progress of rebuilds and drains, and the shards that uploads can spare meanwhile. */
export function OperationsPanel({ answers, error, retry }: MetricsState) {
  const { range } = usePageTime();
  const silent = silentNodes(useVaultState());
  if (answers === undefined) {
    return (
      <Section title="Redundancy">
        {error === null ? (
          <Skeleton height={44} />
        ) : (
          <QueryError what="Missing shards" error={error} onRetry={retry} />
        )}
      </Section>
    );
  }
  const read = readOperations(answers, range.toMs, silent);
  if (read === null) return null;
  const { operations, summary, status, margin, reported } = read;
  return (
    <Section title="Redundancy">
      <Callout status={status} title={`${summary}.`}>
        {margin}
        <Reported {...reported} />
      </Callout>
      {operations.length > 0 && (
        <div className="grid gap-x-6 gap-y-3 lg:grid-cols-2">
          {operations.map((each) => (
            <OperationBar key={`${each.node} ${each.device}`} {...each} />
          ))}
        </div>
      )}
    </Section>
  );
}

function Reported({ podsMs, coordinatorsMs }: Operations["reported"]) {
  return (
    <>
      {podsMs !== null && (
        <>
          {" "}
          Pods reported <Time value={podsMs} show="age" />
          {coordinatorsMs === null ? "." : ","}
        </>
      )}
      {coordinatorsMs !== null && (
        <>
          {podsMs === null ? " Coordinators reported " : " coordinators "}
          <Time value={coordinatorsMs} show="age" />.
        </>
      )}
    </>
  );
}

function OperationBar({ node, title, doneShare, detail }: Operation) {
  return <ProgressBar label={`${title} (${node})`} value={doneShare} detail={detail} />;
}
