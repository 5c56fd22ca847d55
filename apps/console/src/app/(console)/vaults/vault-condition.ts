/** Condition of a vault for its row in the fleet's table: fill, time to full, upload speed, and firing alerts. */
import type { FiringAlert } from "@stashlight/contracts/alert";
import type { ForecastStore } from "@stashlight/contracts/forecast";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { vaultSpace } from "@stashlight/contracts/space";
import { stashMarks, vaultMarks } from "@stashlight/contracts/thresholds";
import type { Forecast } from "@stashlight/stats/forecast";
import type { Status } from "@stashlight/ui";
import { isInhibited, orderedCauses } from "../../../client/alerts.ts";
import { severityStatus } from "../../../client/firing-count.ts";
import {
  findForecast,
  findForecastOfPods,
  judgeForecast,
  orderOfForecast,
  type VaultForecast,
} from "../../../client/forecasts.ts";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import { newestTail, type Tail } from "../../../client/metrics/tail.ts";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";
import { answersOfVault, newestByVault } from "../charts/by-vault.ts";
import { figureEndMs } from "../charts/figure.ts";
import { statusOfFill, statusOfVaultFill } from "../charts/limits.ts";
import { readStash } from "../charts/occupancy.ts";
import { stashSelections } from "../charts/stash-figures.ts";
import { readSpace, spaceSelections } from "../charts/vault-space.ts";
import { type ExplainedState, stateOfRules } from "../charts/vault-state.ts";

/** Queries for `readCondition`, in any order. */
export const conditionSelections: readonly MetricSelection[] = [
  ...spaceSelections(),
  ...stashSelections,
  newestByVault({ metric: "stashlight_upload_seconds", groupBy: ["path"] }),
];

/** A figure with its status; null if unknown. */
interface Judged extends ExplainedState<Status> {
  readonly value: number | null;
}

export interface VaultCondition {
  /** Share of the space for objects that is used. */
  readonly fill: Judged;
  /** End of the newest window of the fill, null if unknown, and the length of points, which may end later. */
  readonly measured: { readonly atMs: number | null; readonly stepMs: number };
  /** Share used by unpurged shards; the status also counts the other space that uploads cannot use. */
  readonly stashFill: Judged;
  /** Forecast of the store that fills up first: the pods or the stash. */
  readonly timeToFull: ExplainedState<Status> & { readonly forecast: Forecast; readonly of: ForecastStore };
  /** Tail latency of uploads by the stash path. */
  readonly upload: Tail | null;
  readonly problems: { readonly count: number; readonly worst: Status };
}

export function readCondition(
  vault: string,
  answers: readonly MetricAnswer[],
  forecasts: readonly VaultForecast[],
  firing: readonly FiringAlert[],
): VaultCondition {
  const ofVault = answersOfVault(answers, vault);
  const [space] = readSpace(ofVault);
  const fill = space?.fill?.share ?? null;
  const ofStash = readStash(ofVault);
  const uploads = answerTo(ofVault, "stashlight_upload_seconds");
  const byStash = uploads?.series.find(({ labels }) => labels.path === "stash");
  const byRules = (id: string, status: Status) => stateOfRules(id, status, { firing }, vault);
  const ofPods = judged(findForecastOfPods(forecasts, vault, fill), "pods");
  const pods = { ...ofPods, ...byRules("vault-time-to-full", ofPods.status) };
  const ofStashTime = judged(findForecast(forecasts, vault, "stash"), "stash");
  const stash = { ...ofStashTime, ...byRules("time-to-full", ofStashTime.status) };
  return {
    fill: { value: fill, ...byRules("vault-full", statusOfVaultFill(fill)) },
    measured: {
      atMs: space?.fill
        ? figureEndMs({ vault, metrics: [vaultSpace.taken, vaultSpace.capacity] }, answers)
        : null,
      stepMs: answerTo(answers, vaultSpace.taken)?.stepMs ?? 0,
    },
    stashFill: {
      value: ofStash?.occupiedShare ?? null,
      ...byRules("occupancy", statusOfFill(ofStash?.closedShare ?? null)),
    },
    timeToFull: orderOfForecast(pods.forecast) <= orderOfForecast(stash.forecast) ? pods : stash,
    upload: newestTail(byStash, uploads?.stepMs ?? 0),
    problems: vaultProblems(vault, firing),
  };
}

const judged = (forecast: Forecast, of: ForecastStore) => ({
  forecast,
  of,
  status: judgeForecast(forecast, of === "pods" ? vaultMarks : stashMarks),
});

/** Counts alerts by cause, as the badge in the navigation does; inhibited ones are left out. */
function vaultProblems(vault: string, firing: readonly FiringAlert[]): VaultCondition["problems"] {
  const causes = orderedCauses(
    firing.filter((alert) => alert.vault === vault && alert.status === "firing"),
  ).filter((cause) => !isInhibited(cause));
  const statuses = causes.map(({ alerts }) => severityStatus[alerts[0].severity]);
  const worst = (["bad", "warning", "info"] as const).find((status) => statuses.includes(status));
  return { count: causes.length, worst: worst ?? "good" };
}

const severity: Partial<Record<Status, number>> = { bad: 3, warning: 2, info: 1 };

/** Sort key, greater is worse: first the severity of the worst alert, then the number of alerts. */
export const rankOfProblems = ({ count, worst }: VaultCondition["problems"]): number =>
  (severity[worst] ?? 0) * 10_000 + count;

/** Orders vaults by problems, then by time to full, fill and name. */
export function worseFirst(
  a: { readonly vault: string; readonly condition: VaultCondition },
  b: { readonly vault: string; readonly condition: VaultCondition },
): number {
  const byProblems = rankOfProblems(b.condition.problems) - rankOfProblems(a.condition.problems);
  if (byProblems !== 0) return byProblems;
  const [one, other] = [
    orderOfForecast(a.condition.timeToFull.forecast),
    orderOfForecast(b.condition.timeToFull.forecast),
  ];
  if (one !== other) return one < other ? -1 : 1;
  return (b.condition.fill.value ?? 0) - (a.condition.fill.value ?? 0) || (a.vault < b.vault ? -1 : 1);
}
