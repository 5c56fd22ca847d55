import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";

/** Finds the answer about a metric; undefined until it arrives. */
export const answerTo = (
  answers: readonly MetricAnswer[] | undefined,
  name: MetricName,
): MetricAnswer | undefined => answers?.find(({ metric }) => metric === name);
