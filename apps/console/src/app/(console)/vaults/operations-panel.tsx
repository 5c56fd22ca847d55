"use client";
import { Time } from "@stashlight/ui/data";
import { Callout, ProgressBar, Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { useVaultState } from "../charts/use-vault-state.ts";
import { silentNodes } from "../charts/vault-state.ts";
import { QueryError } from "../query-state.tsx";
import { type Operation, operationSelections, readOperations } from "./operations.ts";

/** Progress of rebuilds and drains, and the shards that uploads can spare meanwhile. */
export function OperationsPanel({ nodeIds }: { nodeIds: string[] | undefined }) {
  const { answers, error, retry } = useMetrics(operationSelections(nodeIds));
  const { range } = usePageTime();
  const silent = silentNodes(useVaultState());
  if (answers === undefined && error !== null) {
    return (
      <Section title="Redundancy">
        <QueryError what="What pods lack" error={error} onRetry={retry} />
      </Section>
    );
  }
  if (answers === undefined) {
    return (
      <Section title="Redundancy">
        <Skeleton height={44} />
      </Section>
    );
  }
  const read = readOperations(answers, range.toMs, silent);
  if (read === null) return null;
  const { operations, summary, status, margin, reportedMs } = read;
  return (
    <Section title="Redundancy">
      <Callout status={status} title={`${summary}.`}>
        {margin}
        {reportedMs !== null && (
          <>
            {" "}
            Reported <Time value={reportedMs} show="age" />.
          </>
        )}
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

function OperationBar({ node, title, doneShare, detail }: Operation) {
  return <ProgressBar label={`${title} (${node})`} value={doneShare} detail={detail} />;
}
