import type { MetricAnswer } from "@stashlight/contracts/metrics/query";

/** The newest count of each pod, most first; pods of equal count in order of their number. */
export function unpurgedByPod(answer: MetricAnswer): { pod: string; shardCount: number }[] {
  return answer.series
    .flatMap(({ labels, columns }) => {
      const shardCount = columns.kind === "gauge" ? columns.last.at(-1) : undefined;
      return shardCount === undefined ? [] : [{ pod: labels.pod ?? "–", shardCount: Math.round(shardCount) }];
    })
    .sort((a, b) => b.shardCount - a.shardCount || a.pod.localeCompare(b.pod, "en", { numeric: true }));
}
