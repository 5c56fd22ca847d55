import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";

/** Answer about a metric, found by its question; undefined until it arrives. */
export const answerTo = (
  answers: readonly MetricAnswer[] | undefined,
  name: MetricName,
): MetricAnswer | undefined => answers?.find(({ metric }) => metric === name);
