/** Four figures of vaults' space: fill, time to full, space amplification and garbage. */

import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import {
  describeFullness,
  describePodSpace,
  describeRawSpace,
  describeSpace,
  type Fill,
  podSpace,
  vaultMark,
  vaultSpace,
} from "@stashlight/contracts/space";
import { vaultMarks } from "@stashlight/contracts/thresholds";
import { describeForecast, type Forecast } from "@stashlight/stats/forecast";
import {
  findForecastOfPods,
  formatForecast,
  judgeForecast,
  rankForecast,
  type VaultForecast,
} from "../../../client/forecasts.ts";
import { needsPerson, type VaultFigure } from "./figure.ts";
import { statusOfVaultFill } from "./limits.ts";
import { readSpace, type Space, type SpaceOf } from "./vault-space.ts";

const MISSING = {
  Vault: "no coordinator reported its space",
  Node: "no pod reported",
  Drive: "no pod reported",
};
const NO_POD = "no pod reported in this time range";
const WAY_OUT = "Delete objects or enlarge the vault.";
const href = "/vaults";

type Untitled = Omit<VaultFigure, "title" | "href" | "metrics">;

/** Figures of one vault; `figuresByVault` combines several. */
export function spaceFigures(
  answers: readonly MetricAnswer[],
  forecasts: readonly VaultForecast[],
  of: SpaceOf = "Vault",
): VaultFigure[] {
  const [space] = readSpace(answers, of);
  const told = space?.fill == null ? null : { vault: space.vault, fill: space.fill };
  const forecast = findForecastOfPods(forecasts, space?.vault ?? "", told?.fill.share ?? null);
  const { taken } = of === "Vault" ? vaultSpace : podSpace;
  const shared = { href, metrics: [taken], missing: MISSING[of] };
  return [
    { ...shared, ...fillFigure(told, forecast, of), title: `${of} fill` },
    { ...shared, ...timeFigure(told, forecast), title: `${of} time to full` },
    amplificationFigure(space),
    garbageFigure(space),
  ];
}

interface Told {
  readonly vault: string;
  readonly fill: Fill;
}

function fillFigure(told: Told | null, forecast: Forecast, of: SpaceOf): Untitled {
  const status = statusOfVaultFill(told?.fill.share ?? null);
  const figure = { id: "vault-full", quantity: "ratio", status } as const;
  if (told === null) return { ...figure, value: null };
  const { share, atMs } = told.fill;
  const raw = describeRawSpace(told.fill);
  return {
    ...figure,
    untilMs: atMs,
    value: share,
    rank: share,
    statistic: of === "Vault" ? describeSpace(told.fill) : describePodSpace(told.fill),
    ...(raw === null ? {} : { detail: raw }),
    ...fullProblem(told, forecast),
  };
}

function fullProblem({ vault, fill: { share } }: Told, forecast: Forecast): Pick<VaultFigure, "problem"> {
  const sentence = describeFullness(vault, share);
  if (sentence === null) return {};
  const isComing = vaultMark(share) !== "full" && forecast.kind === "filling";
  const growth = isComing ? `. The vault will be ${describeForecast(forecast)}` : "";
  return { problem: `${sentence}${growth}. ${WAY_OUT}` };
}

function timeFigure(told: Told | null, forecast: Forecast): Untitled {
  const status = told === null ? "unknown" : judgeForecast(forecast, vaultMarks);
  const figure = { id: "vault-time-to-full", quantity: "seconds", status } as const;
  if (told === null) return { ...figure, value: null };
  const { vault, fill } = told;
  // The fill's problem already includes the time to full.
  const isTold = needsPerson(statusOfVaultFill(fill.share));
  return {
    ...figure,
    untilMs: fill.atMs,
    ...formatForecast(forecast),
    ...rankForecast(forecast),
    ...(needsPerson(status) && forecast.kind === "filling" && !isTold
      ? { problem: `Vault ${vault} will be ${describeForecast(forecast)}. ${WAY_OUT}` }
      : {}),
  };
}

function amplificationFigure(space: Space | undefined): VaultFigure {
  const found = space?.amplification ?? { missing: NO_POD };
  return {
    href,
    id: "space-amplification",
    title: "Space amplification",
    quantity: "count",
    ...("missing" in found
      ? { value: null, missing: found.missing }
      : { value: `${found.ratio.toFixed(2)}×`, rank: found.ratio, untilMs: found.atMs }),
    statistic: "bytes in use per byte that visible objects need",
    metrics: ["stashlight_pod_visible_bytes", "stashlight_pod_counted_bytes"],
  };
}

function garbageFigure(space: Space | undefined): VaultFigure {
  const garbage = space?.garbage ?? null;
  return {
    href,
    id: "garbage",
    title: "Garbage waiting",
    quantity: "bytes",
    missing: NO_POD,
    value: garbage?.bytes ?? null,
    ...(garbage === null ? {} : { rank: garbage.bytes, untilMs: garbage.atMs }),
    statistic:
      garbage === null ? "of the bytes in use" : `${(100 * garbage.share).toFixed(0)} % of the bytes in use`,
    metrics: ["stashlight_pod_garbage_bytes"],
  };
}
