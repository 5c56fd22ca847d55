"use client";
import { cx, formatCount } from "@stashlight/ui";
import { Time } from "@stashlight/ui/data";
import { EmptyState, Skeleton } from "@stashlight/ui/feedback";
import { Layers } from "lucide-react";
import { inVault } from "../../../client/metrics/scope.ts";
import { describeOrigin } from "../../../client/metrics/to-chart.ts";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { QueryError } from "../query-state.tsx";
import { unpurgedByPod } from "./unpurged.ts";

const HEIGHT_PX = 232;

/** Shows which pod the stash waits for. */
export function UnpurgedByPod() {
  const { isSeveral } = useScope();
  const { answers, error, retry } = useMetrics([
    {
      metric: "stashlight_stash_unpurged_shards",
      groupBy: ["vault", "pod"],
      pointCountMax: 20,
      summarise: true,
    },
  ]);
  const [answer] = answers ?? [];
  const origin = answer === undefined ? null : describeOrigin([answer]);
  return (
    <section
      aria-labelledby="unpurged-by-pod"
      className="flex min-w-0 flex-col gap-2 rounded-md border border-line bg-surface px-3 pt-2.5 pb-2"
    >
      <div>
        <h3 id="unpurged-by-pod" className="text-base font-medium text-ink">
          Which pod does the stash wait for?
        </h3>
        <p className="text-sm text-faint">unpurged shards of each pod, most first</p>
      </div>
      {answer === undefined && error === null && <Skeleton height={HEIGHT_PX} />}
      {answer === undefined && error !== null && (
        <QueryError what="The unpurged shards" error={error} onRetry={retry} />
      )}
      {answer !== undefined && <Bars pods={unpurgedByPod(answer)} isSeveral={isSeveral} />}
      <p className="mt-auto min-h-4 text-sm text-faint tabular-nums">
        {origin?.newestMs != null && (
          <>
            <Time value={origin.newestMs} show="age" /> · {origin.source}
            {origin.caveats.map((caveat) => (
              <span key={caveat} className="text-warning">
                {` · ${caveat}`}
              </span>
            ))}
          </>
        )}
      </p>
    </section>
  );
}

function Bars({ pods, isSeveral }: { pods: ReturnType<typeof unpurgedByPod>; isSeveral: boolean }) {
  if (pods.length === 0) {
    return (
      <EmptyState icon={<Layers />} title="No pod has shards on the stash" className="py-8">
        A pod is listed while stash devices hold shards that wait for its flush.
      </EmptyState>
    );
  }
  const most = Math.max(1, ...pods.map(({ shardCount }) => shardCount));
  return (
    <ol
      className="grid content-start gap-x-6 sm:grid-flow-col sm:grid-cols-2 sm:grid-rows-[repeat(10,auto)]"
      style={{ minHeight: HEIGHT_PX }}
    >
      {pods.slice(0, 20).map(({ vault, pod, shardCount }) => (
        <li
          key={`${vault} ${pod}`}
          className={cx(
            "grid h-[23px] items-center gap-2 text-sm",
            isSeveral ? "grid-cols-[minmax(2.5rem,8rem)_1fr_3.5rem]" : "grid-cols-[2.5rem_1fr_3.5rem]",
          )}
        >
          <span className="truncate font-mono text-muted" title={inVault(pod, vault, isSeveral)}>
            {inVault(pod, vault, isSeveral)}
          </span>
          <span aria-hidden="true" className="h-2 rounded-sm bg-sunken">
            <span
              className="block h-full rounded-sm bg-pod"
              style={{ width: `${(shardCount / most) * 100}%` }}
            />
          </span>
          <span className="text-right text-ink tabular-nums">{formatCount(shardCount)}</span>
        </li>
      ))}
    </ol>
  );
}
