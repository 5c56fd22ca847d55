"use client";
import { Time } from "@stashlight/ui/data";
import { Callout } from "@stashlight/ui/feedback";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import type { MetricsState } from "../../../client/metrics/use-metrics.ts";
import { readQuarantines } from "./quarantines.ts";

/** Stash devices that an operator took out of new uploads; nothing while there is none. */
export function QuarantineCallouts({ answers }: Pick<MetricsState, "answers">) {
  const { range } = usePageTime();
  return readQuarantines(answers ?? [], range.toMs).map(({ node, device, operator, sinceMs }) => (
    <Callout key={`${node} ${device}`} status="info" title={`${device} (${node}) is in quarantine`}>
      It has received no new shards since <Time value={sinceMs} show="absolute" /> ({operator}). Its shards
      are still read and purged; <code>vault release {device}</code> ends the quarantine.
    </Callout>
  ));
}
