/**
 * Vaults that a page covers. By default these are the measured vaults. Simulated vaults appear only if none is
 * measured, and vaults whose nodes were all revoked only if there is no other.
 */
import type { SeriesLabel } from "@stashlight/contracts/metrics/query";
import { type KnownVault, vaultCountMax } from "@stashlight/contracts/vault";

/** URL value for all vaults, including simulated and revoked ones. */
export const everyVault = "all";

/** Part of a query that restricts it to nodes or vaults. */
interface Subject {
  readonly where?: Partial<Record<SeriesLabel, string[]>>;
  readonly nodeIds?: string[];
  readonly groupBy?: readonly SeriesLabel[];
}

export interface Scope {
  /** Sorted by name. */
  readonly vaults: readonly string[];
  /** Vaults to restrict queries to; undefined for no restriction. */
  readonly asked: string[] | undefined;
  /** True if names of nodes and drives need their vault as a prefix. */
  readonly isSeveral: boolean;
  readonly words: string;
}

export function resolveScope(chosen: readonly string[] | null, known: readonly KnownVault[]): Scope {
  const found = known.filter(({ name }) => chosen?.includes(name));
  const isEvery = chosen?.includes(everyVault) ?? false;
  const inScope = isEvery ? known : found.length > 0 ? found : unchosen(known);
  const vaults = inScope.map(({ name }) => name);
  return {
    vaults,
    asked: vaults.length === known.length ? undefined : vaults.slice(0, vaultCountMax),
    isSeveral: vaults.length > 1,
    words: inWords(vaults, known, !isEvery && found.length === 0),
  };
}

/** Default vaults. */
function unchosen(known: readonly KnownVault[]): readonly KnownVault[] {
  const present = known.filter(({ isRetired }) => !isRetired);
  const measured = present.filter(({ isSimulated }) => !isSimulated);
  return measured.length > 0 ? measured : present.length > 0 ? present : known;
}

function inWords(vaults: readonly string[], known: readonly KnownVault[], isUnchosen: boolean): string {
  const [only] = vaults;
  if (only === undefined) return "No vault";
  if (vaults.length === 1) return `Vault ${only}`;
  if (vaults.length === known.length) return `All ${vaults.length} vaults`;
  return isUnchosen ? `${vaults.length} measured vaults` : `${vaults.length} of ${known.length} vaults`;
}

/** Choice after a click on a vault: the first click chooses it alone; null returns to the default. */
export function withVault(
  chosen: readonly string[] | null,
  name: string,
  isChosen: boolean,
): string[] | null {
  const others = (chosen ?? []).filter((each) => each !== name && each !== everyVault);
  const next = isChosen ? [...others, name] : others;
  return next.length === 0 ? null : next.sort();
}

/** Restricts a query to the scope, unless it names nodes or vaults itself. */
export function withinScope<Selection extends Subject>(
  selection: Selection,
  { asked }: Pick<Scope, "asked">,
): Selection {
  const { where, nodeIds } = selection;
  if (asked === undefined || nodeIds !== undefined || where?.vault !== undefined) return selection;
  return { ...selection, where: { ...where, vault: asked } };
}

/** Note below the title of a chart whose lines each cover several vaults. */
export function togetherInWords(
  selections: readonly Subject[],
  { isSeveral, vaults }: Pick<Scope, "isSeveral" | "vaults">,
): string {
  const isPooled = selections.some(
    ({ groupBy = [], nodeIds }) =>
      nodeIds === undefined && !groupBy.includes("vault") && !groupBy.includes("node"),
  );
  return isSeveral && isPooled ? `; ${vaults.length} vaults together` : "";
}

/** "p0", or "east/p0" if several vaults share names of drives and nodes. */
export const inVault = (name: string, vault: string | null | undefined, isSeveral: boolean): string =>
  isSeveral && vault ? `${vault}/${name}` : name;
