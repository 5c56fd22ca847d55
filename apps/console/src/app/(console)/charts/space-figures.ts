/** Four figures of vaults' space: fullness, time to full, space amplification and waiting garbage. */
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { markOf } from "@stashlight/contracts/vault/fullness";
import { chooseUnit, formatWith } from "@stashlight/ui/chart";
import { needsPerson, type VaultFigure } from "./figure.ts";
import { statusOfVaultFill, statusOfVaultTimeToFull } from "./limits.ts";
import { FAR_SECONDS, formatBand, formatTimeToFull, rankOfTimeToFull } from "./occupancy.ts";
import { readSpace, type VaultSpace } from "./vault-space.ts";

const MISSING = "no pod reported in this time range";
const WAY_OUT = "Delete objects or enlarge the vault.";
const shared = { href: "/vaults", metrics: ["stashlight_pod_live_bytes"], missing: MISSING } as const;

const GROWTH_WORDS = "at the growth rate of this range";

type Untitled = Omit<VaultFigure, "title">;

/** The scope of the figures. */
export type SpaceOf = "Vault" | "Node" | "Drive";

/** The figures of one vault; `figuresByVault` makes those of several. */
export function spaceFigures(answers: readonly MetricAnswer[], of: SpaceOf = "Vault"): VaultFigure[] {
  const [space] = readSpace(answers);
  return [
    { ...fillFigure(space), title: `${of} occupied` },
    { ...timeFigure(space), title: `${of} time to full` },
    amplificationFigure(space),
    garbageFigure(space),
  ];
}

/** "1.99 TB of 2.25 TB": both in the unit of the whole. */
function partOf(part: number, whole: number): string {
  const unit = chooseUnit("bytes", whole);
  return `${formatWith(unit, part)} of ${formatWith(unit, whole)}`;
}

function fillFigure(space: VaultSpace | undefined): Untitled {
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
    ...(needsPerson(status) ? { problem: fullProblem(space) } : {}),
  };
}

/** ", between 3 and 5 December" after the time that is left. */
function bandAfter({ timeToFull, band }: VaultSpace): string {
  const words = formatBand(timeToFull, band);
  return words === null ? "" : `, ${words}`;
}

function fullProblem(space: VaultSpace): string {
  const { vault, fullness, timeToFull } = space;
  const share = `Pods of vault ${vault} are ${(fullness * 100).toFixed(0)} % full`;
  if (markOf(fullness) === "full") return `${share}: new objects are refused, or soon will be. ${WAY_OUT}`;
  const said = formatTimeToFull(timeToFull);
  const growth =
    timeToFull.kind === "filling" && timeToFull.seconds <= FAR_SECONDS
      ? `. At the growth rate of this range the vault will be full in ${said.value} ${said.unit}${bandAfter(space)}`
      : "";
  return `${share}${growth}. ${WAY_OUT}`;
}

function timeFigure(space: VaultSpace | undefined): Untitled {
  const status = space === undefined ? "unknown" : statusOfVaultTimeToFull(space.timeToFull);
  const figure = { ...shared, id: "vault-time-to-full", status } as const;
  if (space === undefined) return { ...figure, value: null, quantity: "seconds" };
  const { timeToFull, fullness, vault, untilMs } = space;
  const bandWords = formatBand(timeToFull, space.band);
  const said = formatTimeToFull(timeToFull);
  const isFar = timeToFull.kind !== "filling" || timeToFull.seconds > FAR_SECONDS;
  // The problem of the fullness figure already includes the time to full.
  const isTold = needsPerson(statusOfVaultFill(fullness));
  return {
    ...figure,
    untilMs,
    quantity: "seconds",
    value: isFar ? said.value : timeToFull.seconds,
    ...(said.missing === undefined ? {} : { missing: said.missing }),
    ...rankOfTimeToFull(timeToFull),
    statistic: bandWords === null ? GROWTH_WORDS : `full ${bandWords} (95\u00a0%) at this range's growth`,
    ...(needsPerson(status) && timeToFull.kind === "filling" && !isTold
      ? {
          problem: `At the growth rate of this range vault ${vault} will be full in ${said.value} ${said.unit}${bandAfter(space)}. ${WAY_OUT}`,
        }
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
