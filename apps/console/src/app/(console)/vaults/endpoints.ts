/** State of the vaults behind each endpoint, from the metrics of their coordinators. */
import type { EndpointVaultState, MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import type { Status } from "@stashlight/ui";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";

export interface EndpointVault {
  /** Name of the vault that owns the S3 address. */
  readonly endpoint: string;
  readonly vault: string;
  readonly state: EndpointVaultState;
  /** Null if unknown, as for the figures below. */
  readonly newKeysShare: number | null;
  readonly freeBytes: number | null;
  readonly capacityBytes: number | null;
  readonly epoch: number | null;
  readonly epochsShare: number | null;
}

const info = "stashlight_endpoint_vault_info";
const share = "stashlight_new_keys_ratio";
const free = "stashlight_endpoint_free_bytes";
const capacity = "stashlight_endpoint_capacity_bytes";
const epoch = "stashlight_endpoint_epoch";
const epochs = "stashlight_endpoint_epochs_ratio";

/** Averages or takes the maximum, because each coordinator reports its own view of the same vaults. */
export const endpointSelections: MetricSelection[] = [
  { metric: info, groupBy: ["endpoint", "vault", "state"], across: "max" },
  { metric: share, groupBy: ["vault"], across: "avg" },
  { metric: free, groupBy: ["vault"], across: "avg" },
  { metric: capacity, groupBy: ["vault"], across: "avg" },
  { metric: epoch, groupBy: ["vault"], across: "max" },
  { metric: epochs, groupBy: ["vault"], across: "max" },
];

/** While coordinators disagree, the worst state counts. */
const worstFirst: readonly EndpointVaultState[] = ["refused", "unreachable", "full", "joining", "open"];

/** Sorted by endpoint, then by name. Empty if every endpoint has a single vault. */
export function endpointVaults(answers: readonly MetricAnswer[]): EndpointVault[] {
  const metricSeries = (name: MetricName) => answerTo(answers, name)?.series ?? [];
  const states = Map.groupBy(metricSeries(info), ({ labels }) => `${labels.endpoint} ${labels.vault}`);
  return [...states.values()]
    .flatMap((told): EndpointVault[] => {
      const newestMs = Math.max(...told.map(lastEndMs));
      const current = told
        .filter((series) => lastEndMs(series) === newestMs)
        .map(({ labels }) => labels.state);
      const state = worstFirst.find((each) => current.includes(each));
      const { endpoint, vault } = told[0]?.labels ?? {};
      if (state === undefined || endpoint === undefined || vault === undefined) return [];
      // Ignores a level that is missing from the newest window.
      const level = (name: MetricName): number | null => {
        const series = metricSeries(name).find(({ labels }) => labels.vault === vault);
        if (series === undefined || lastEndMs(series) < newestMs) return null;
        return series.columns.kind === "gauge" ? (series.columns.last.at(-1) ?? null) : null;
      };
      return [
        {
          endpoint,
          vault,
          state,
          newKeysShare: level(share),
          epoch: level(epoch),
          freeBytes: level(free),
          capacityBytes: level(capacity),
          epochsShare: level(epochs),
        },
      ];
    })
    .sort((a, b) => collator.compare(a.endpoint, b.endpoint) || collator.compare(a.vault, b.vault));
}

const lastEndMs = ({ endMs }: MetricSeries): number => endMs.at(-1) ?? Number.NEGATIVE_INFINITY;
const collator = new Intl.Collator("en", { numeric: true });

interface StateInWords {
  readonly status: Status;
  readonly word: string;
  readonly why: string;
}

export const statesInWords: Readonly<Record<EndpointVaultState, StateInWords>> = {
  open: {
    status: "good",
    word: "takes new keys",
    why: "It takes a share of new keys in proportion to its free space.",
  },
  full: {
    status: "warning",
    word: "passed over: full",
    why: "It has too little space left for new keys. It takes them again once 8 % of it is free.",
  },
  unreachable: {
    status: "bad",
    word: "passed over: unreachable",
    why: "It cannot be reached, or has just come back. Lists and reads of keys that it may hold fail meanwhile.",
  },
  joining: {
    status: "info",
    word: "joining",
    why: "All coordinators of the endpoint have to know it before it takes new keys.",
  },
  refused: {
    status: "bad",
    word: "refused",
    why: "It belongs to another endpoint, or is not empty. The coordinator's page /vaults shows which.",
  },
};
