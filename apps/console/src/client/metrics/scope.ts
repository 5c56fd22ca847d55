/**
 * The vaults that a page shows. Nothing in the URL stands for every vault that is really there: simulated ones are left
 * out as soon as there is another, and so are those whose nodes were all revoked.
 */
import type { SeriesLabel } from "@stashlight/contracts/metrics/query";
import { type KnownVault, vaultCountMax } from "@stashlight/contracts/vault";

/** In the URL: every vault, simulated and revoked ones too. */
export const everyVault = "all";

/** The part of a question that says what it is about. */
interface Subject {
  readonly where?: Partial<Record<SeriesLabel, string[]>>;
  readonly nodeIds?: string[];
  readonly groupBy?: readonly SeriesLabel[];
}

export interface Scope {
  /** In the order of their names. */
  readonly vaults: readonly string[];
  /** The vaults that questions are kept to; undefined asks about all there is. */
  readonly asked: string[] | undefined;
  /** Names of nodes and drives carry their vault. */
  readonly isSeveral: boolean;
  readonly words: string;
}

export function scopeOf(chosen: readonly string[] | null, known: readonly KnownVault[]): Scope {
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

/** What is shown where nobody chose. */
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

/** The choice after a click on one vault: it alone where nobody had chosen; null goes back to that. */
export function withVault(
  chosen: readonly string[] | null,
  name: string,
  isChosen: boolean,
): string[] | null {
  const others = (chosen ?? []).filter((each) => each !== name && each !== everyVault);
  const next = isChosen ? [...others, name] : others;
  return next.length === 0 ? null : next.sort();
}

/** A question of a place is about its nodes, and one that names vaults about those, whatever the page's scope. */
export function withinScope<Selection extends Subject>(
  selection: Selection,
  { asked }: Pick<Scope, "asked">,
): Selection {
  const { where, nodeIds } = selection;
  if (asked === undefined || nodeIds !== undefined || where?.vault !== undefined) return selection;
  return { ...selection, where: { ...where, vault: asked } };
}

/**
 * Said beneath the title of a chart that puts several vaults together: its lines are about all of them, and no line is
 * one of them.
 */
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

/** "p0", or "east/p0" where several vaults have drives and nodes of the same name. */
export const inVault = (name: string, vault: string | null | undefined, isSeveral: boolean): string =>
  isSeveral && vault ? `${vault}/${name}` : name;
