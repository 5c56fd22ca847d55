import type { MetricAnswer } from "@stashlight/contracts/metrics/query";

export interface UnpurgedOfPod {
  readonly vault: string;
  readonly pod: string;
  readonly shardCount: number;
}

const collator = new Intl.Collator("en", { numeric: true });

/** Newest count of each pod, highest first; pods with equal counts in order of vault and number. */
export function unpurgedByPod(answer: MetricAnswer): UnpurgedOfPod[] {
  return answer.series
    .flatMap(({ labels: { vault = "", pod = "–" }, columns }) => {
      const shardCount = columns.kind === "gauge" ? columns.last.at(-1) : undefined;
      return shardCount === undefined ? [] : [{ vault, pod, shardCount: Math.round(shardCount) }];
    })
    .sort(
      (a, b) =>
        b.shardCount - a.shardCount || collator.compare(a.vault, b.vault) || collator.compare(a.pod, b.pod),
    );
}
