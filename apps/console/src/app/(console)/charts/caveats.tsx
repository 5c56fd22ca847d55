import type { MetricOrigin } from "@stashlight/contracts/metrics/query";
import { describeOrigin } from "../../../client/metrics/to-chart.ts";

/** Caveats about unmeasured entries of a list; nothing if all are measured. */
export function Caveats({ origins }: { origins: readonly MetricOrigin[] | undefined }) {
  const { caveats } = describeOrigin(origins ?? []);
  if (caveats.length === 0) return null;
  return <p className="text-sm text-warning">{caveats.join(" · ")}</p>;
}
