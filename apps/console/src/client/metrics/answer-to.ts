import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";

/** The answer about a metric, whatever its place among the questions; undefined until it is there. */
export const answerTo = (
  answers: readonly MetricAnswer[] | undefined,
  name: MetricName,
): MetricAnswer | undefined => answers?.find(({ metric }) => metric === name);
