/** Four figures of vaults' space: fullness, time to full, space amplification and waiting garbage. */
import { vaultMarks } from "@stashlight/contracts/judgement";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { markOf } from "@stashlight/contracts/vault/fullness";
import { describeForecast, type Forecast } from "@stashlight/stats/forecast";
import { chooseUnit, formatWith } from "@stashlight/ui/chart";
import {
  findForecast,
  formatForecast,
  judgeForecast,
  rankForecast,
  type VaultForecast,
} from "../../../client/forecasts.ts";
import { needsPerson, type VaultFigure } from "./figure.ts";
import { statusOfVaultFill } from "./limits.ts";
import { readSpace, type VaultSpace } from "./vault-space.ts";

const MISSING = "no pod reported in this time range";
const WAY_OUT = "Delete objects or enlarge the vault.";
const shared = { href: "/vaults", metrics: ["stashlight_pod_live_bytes"], missing: MISSING } as const;

type Untitled = Omit<VaultFigure, "title">;

/** The scope of the figures. */
export type SpaceOf = "Vault" | "Node" | "Drive";

/** The figures of one vault; `figuresByVault` makes those of several. */
export function spaceFigures(
  answers: readonly MetricAnswer[],
  forecasts: readonly VaultForecast[],
  of: SpaceOf = "Vault",
): VaultFigure[] {
  const [space] = readSpace(answers);
  const forecast = findForecast(forecasts, space?.vault ?? "", "pods");
  return [
    { ...fillFigure(space, forecast), title: `${of} occupied` },
    { ...timeFigure(space, forecast), title: `${of} time to full` },
    amplificationFigure(space),
    garbageFigure(space),
  ];
}

/** "1.99 TB of 2.25 TB": both in the unit of the whole. */
function partOf(part: number, whole: number): string {
  const unit = chooseUnit("bytes", whole);
  return `${formatWith(unit, part)} of ${formatWith(unit, whole)}`;
}

function fillFigure(space: VaultSpace | undefined, forecast: Forecast): Untitled {
  const status = statusOfVaultFill(space?.fullness ?? null);
  const figure = { ...shared, id: "vault-full", quantity: "ratio", status } as const;
  if (space === undefined) return { ...figure, value: null };
  const { fullness, takenBytes, usableBytes, untilMs } = space;
  return {
    ...figure,
    untilMs,
    value: fullness,
    rank: fullness,
    statistic: partOf(takenBytes, usableBytes),
    ...(needsPerson(status) ? { problem: fullProblem(space, forecast) } : {}),
  };
}

function fullProblem({ vault, fullness }: VaultSpace, forecast: Forecast): string {
  const share = `Pods of vault ${vault} are ${(fullness * 100).toFixed(0)} % full`;
  if (markOf(fullness) === "full") return `${share}: new objects are refused, or soon will be. ${WAY_OUT}`;
  const growth = forecast.kind === "filling" ? `. The vault will be ${describeForecast(forecast)}` : "";
  return `${share}${growth}. ${WAY_OUT}`;
}

function timeFigure(space: VaultSpace | undefined, forecast: Forecast): Untitled {
  const status = space === undefined ? "unknown" : judgeForecast(forecast, vaultMarks);
  const figure = { ...shared, id: "vault-time-to-full", quantity: "seconds", status } as const;
  if (space === undefined) return { ...figure, value: null };
  const { fullness, vault, untilMs } = space;
  // The problem of the fullness figure already includes the time to full.
  const isTold = needsPerson(statusOfVaultFill(fullness));
  return {
    ...figure,
    untilMs,
    ...formatForecast(forecast),
    ...rankForecast(forecast),
    ...(needsPerson(status) && forecast.kind === "filling" && !isTold
      ? { problem: `Vault ${vault} will be ${describeForecast(forecast)}. ${WAY_OUT}` }
      : {}),
  };
}

function amplificationFigure(space: VaultSpace | undefined): VaultFigure {
  const amplification = space?.amplification ?? null;
  return {
    ...shared,
    id: "space-amplification",
    title: "Space amplification",
    quantity: "count",
    untilMs: space?.untilMs,
    value: amplification === null ? null : `${amplification.toFixed(2)}×`,
    ...(amplification === null ? {} : { rank: amplification }),
    missing: space === undefined ? MISSING : "too little data for a ratio",
    statistic: "bytes in use per byte that visible objects need",
    metrics: ["stashlight_pod_visible_bytes", "stashlight_pod_garbage_bytes"],
  };
}

function garbageFigure(space: VaultSpace | undefined): VaultFigure {
  const { garbageBytes = null, liveBytes = 0 } = space ?? {};
  const inUse = (garbageBytes ?? 0) + liveBytes;
  const share = inUse > 0 ? ((100 * (garbageBytes ?? 0)) / inUse).toFixed(0) : "0";
  return {
    ...shared,
    id: "garbage",
    title: "Garbage waiting",
    quantity: "bytes",
    value: garbageBytes,
    untilMs: space?.untilMs,
    ...(garbageBytes === null ? {} : { rank: garbageBytes }),
    statistic: `${share} % of the bytes in use`,
    metrics: ["stashlight_pod_garbage_bytes"],
  };
}
