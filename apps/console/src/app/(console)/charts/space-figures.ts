/** Four figures of vaults' space: fullness, time to full, space amplification and waiting garbage. */
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { markOf } from "@stashlight/contracts/vault/fullness";
import { chooseUnit, formatWith } from "@stashlight/ui/chart";
import type { VaultFigure } from "./figure.ts";
import { statusOfVaultFill, statusOfVaultTimeToFull } from "./limits.ts";
import { FAR_SECONDS, formatTimeToFull } from "./occupancy.ts";
import { readSpace, type VaultSpace } from "./vault-space.ts";

const MISSING = "no pod reported in this time range";
const WAY_OUT = "Delete objects or enlarge the vault.";
const shared = { href: "/vaults", metrics: ["stashlight_pod_live_bytes"], missing: MISSING } as const;

type Untitled = Omit<VaultFigure, "title">;

const needsPerson = (status: VaultFigure["status"]) => status === "bad" || status === "warning";

/** The scope of the figures. */
export type SpaceOf = "Vault" | "Node" | "Drive";

/** With several vaults, each figure is that of the vault that needs attention most. */
export function spaceFigures(answers: readonly MetricAnswer[], of: SpaceOf = "Vault"): VaultFigure[] {
  const spaces = readSpace(answers);
  const [fullest] = spaces;
  const soonest = spaces.toSorted((a, b) => secondsLeft(a) - secondsLeft(b))[0];
  return [
    { ...fillFigure(fullest, spaces.length), title: `${of} occupied` },
    { ...timeFigure(soonest, spaces.length), title: `${of} time to full` },
    amplificationFigure(spaces),
    garbageFigure(spaces),
  ];
}

function secondsLeft({ timeToFull }: VaultSpace): number {
  if (timeToFull.kind === "full") return 0;
  return timeToFull.kind === "filling" ? timeToFull.seconds : Number.POSITIVE_INFINITY;
}

/** "1.99 TB of 2.25 TB": both in the unit of the whole. */
function partOf(part: number, whole: number): string {
  const unit = chooseUnit("bytes", whole);
  return `${formatWith(unit, part)} of ${formatWith(unit, whole)}`;
}

/** "; vault north, the fullest of 3" if there are several vaults, and nothing if there is one. */
const which = ({ vault }: VaultSpace, count: number, what: string): string =>
  count > 1 ? `; vault ${vault}, the ${what} of ${count}` : "";

function fillFigure(space: VaultSpace | undefined, count: number): Untitled {
  const status = statusOfVaultFill(space?.fullness ?? null);
  const figure = { ...shared, id: "vault-full", quantity: "ratio", status } as const;
  if (space === undefined) return { ...figure, value: null };
  const { fullness, takenBytes, usableBytes } = space;
  return {
    ...figure,
    value: fullness,
    statistic: `${partOf(takenBytes, usableBytes)}${which(space, count, "fullest")}`,
    ...(needsPerson(status) ? { problem: fullProblem(space) } : {}),
  };
}

function fullProblem({ vault, fullness, timeToFull }: VaultSpace): string {
  const share = `Pods of vault ${vault} are ${(fullness * 100).toFixed(0)} % full`;
  if (markOf(fullness) === "full") return `${share}: new objects are refused, or soon will be. ${WAY_OUT}`;
  const said = formatTimeToFull(timeToFull);
  const growth =
    timeToFull.kind === "filling" && timeToFull.seconds <= FAR_SECONDS
      ? `. At the growth rate of this range the vault will be full in ${said.value} ${said.unit}`
      : "";
  return `${share}${growth}. ${WAY_OUT}`;
}

function timeFigure(space: VaultSpace | undefined, count: number): Untitled {
  const status = space === undefined ? "unknown" : statusOfVaultTimeToFull(space.timeToFull);
  const figure = { ...shared, id: "vault-time-to-full", status } as const;
  if (space === undefined) return { ...figure, value: null, quantity: "seconds" };
  const { timeToFull, fullness, vault } = space;
  const said = formatTimeToFull(timeToFull);
  const isFar = timeToFull.kind !== "filling" || timeToFull.seconds > FAR_SECONDS;
  // The problem of the fullness figure already includes the time to full.
  const isTold = needsPerson(statusOfVaultFill(fullness));
  return {
    ...figure,
    quantity: "seconds",
    value: isFar ? said.value : timeToFull.seconds,
    ...(said.missing === undefined ? {} : { missing: said.missing }),
    statistic: `at the growth rate of this range${which(space, count, "soonest")}`,
    ...(needsPerson(status) && timeToFull.kind === "filling" && !isTold
      ? {
          problem: `At the growth rate of this range vault ${vault} will be full in ${said.value} ${said.unit}. ${WAY_OUT}`,
        }
      : {}),
  };
}

function amplificationFigure(spaces: readonly VaultSpace[]): VaultFigure {
  const told = spaces.filter(({ amplification }) => amplification !== null);
  const worst = told.toSorted((a, b) => (b.amplification ?? 0) - (a.amplification ?? 0))[0];
  return {
    ...shared,
    id: "space-amplification",
    title: "Space amplification",
    quantity: "count",
    value: worst?.amplification == null ? null : `${worst.amplification.toFixed(2)}×`,
    missing: spaces.length === 0 ? MISSING : "too little data for a ratio",
    statistic: `bytes in use per byte that visible objects need${worst === undefined ? "" : which(worst, told.length, "highest")}`,
    metrics: ["stashlight_pod_visible_bytes", "stashlight_pod_garbage_bytes"],
  };
}

function garbageFigure(spaces: readonly VaultSpace[]): VaultFigure {
  const told = spaces.filter(({ garbageBytes }) => garbageBytes !== null);
  const sum = told.reduce((total, { garbageBytes }) => total + (garbageBytes ?? 0), 0);
  const live = told.reduce((total, { liveBytes }) => total + liveBytes, 0);
  const share = sum + live > 0 ? ((100 * sum) / (sum + live)).toFixed(0) : "0";
  return {
    ...shared,
    id: "garbage",
    title: "Garbage waiting",
    quantity: "bytes",
    value: told.length === 0 ? null : sum,
    statistic: `${share} % of the bytes in use`,
    metrics: ["stashlight_pod_garbage_bytes"],
  };
}
