/**
 * Alerts that follow from another one are shown and stored, but not sent to channels while the other fires:
 *
 *   silent node  inhibits all other alerts of that node
 *   full vault   inhibits the alerts that warned of it: that it is filling, and that it will be full; a full index of
 *                objects inhibits the warnings of a full index
 *   stall        (all drives of a vault or of a node are slow by several rules at once) inhibits all of these rules
 *                except the one with the most drives, until that one ends, although some drives recover earlier
 *
 * Alerts that still fire when the other ends are sent then.
 */
import type { AlertStatus, FiringAlert } from "@stashlight/contracts/alert";
import type { Transaction } from "@stashlight/db";
import type { Core } from "../core.ts";
import { findVaults } from "./group-vaults.ts";
import { type StoredRule, storedLabels } from "./rule-rows.ts";

const silentNodeKey = "node-silence";
/** For each rule that warns of a full store, the rule that fires when the store is full. */
const fullKeys: Readonly<Record<string, string>> = {
  "vault-filling": "vault-full",
  "vault-time-to-full": "vault-full",
  "index-filling": "index-full",
  "index-time-to-full": "index-full",
};
const fullReasons: Readonly<Record<string, string>> = {
  "vault-full": "is full",
  "index-full": "has a full index",
};
/** Rules about slow drives; one stall makes several of them fire. */
const stallKeys: readonly (string | null)[] = ["fsync-hdd", "fsync-ssd", "commit-hdd", "commit-ssd"];
/** A single slow drive does not count as a stall of its neighbours. */
const stalledDrivesMin = 2;

export type InhibitingRule = Pick<StoredRule, "id" | "name" | "builtInKey">;

export interface InhibitionSubject {
  readonly rule: InhibitingRule;
  readonly status: AlertStatus | string;
  readonly labels: Readonly<Record<string, string>>;
  readonly vault: string;
  /** Rule that inhibited the alert at the last evaluation. */
  readonly inhibitedBy?: string | null;
}

export type Inhibitor = NonNullable<FiringAlert["inhibitedBy"]>;
export type InhibitorOf = (subject: InhibitionSubject) => Inhibitor | null;

const isStallRule = ({ builtInKey }: InhibitingRule): boolean => stallKeys.includes(builtInKey);
const toInhibitor = ({ id, name }: InhibitingRule, reason: string): Inhibitor => ({
  ruleId: id,
  ruleName: name,
  reason,
});

/**
 * `subjects` must include all firing alerts of silent nodes and full vaults, and all alerts of the rules about slow
 * drives.
 */
export function findInhibitors(subjects: readonly InhibitionSubject[]): InhibitorOf {
  const firing = (key: string) =>
    subjects.filter(({ rule, status }) => rule.builtInKey === key && status === "firing");
  const silent = new Map(firing(silentNodeKey).map(({ rule, labels }) => [labels.node ?? "", rule]));
  const full = new Map(
    Object.keys(fullReasons).flatMap((key) =>
      firing(key).map(({ rule, vault }) => [`${key} ${vault}`, rule] as const),
    ),
  );
  const slow = subjects.filter(({ rule }) => isStallRule(rule));
  const stalls = findStalls(slow);
  const ending = new Map(
    slow
      .filter(({ status }) => status === "firing")
      .flatMap((subject) =>
        alertPlaces(subject).map((place) => [`${subject.rule.id} ${place}`, subject.rule]),
      ),
  );
  return (subject) => {
    const { node } = subject.labels;
    const down = node === undefined ? undefined : silent.get(node);
    if (down !== undefined && down.id !== subject.rule.id) return toInhibitor(down, `node ${node} is silent`);
    const fullKey = fullKeys[subject.rule.builtInKey ?? ""] ?? "";
    const fullVault = full.get(`${fullKey} ${subject.vault}`);
    if (fullVault !== undefined)
      return toInhibitor(fullVault, `vault ${subject.vault} ${fullReasons[fullKey]}`);
    const place = alertPlaces(subject).find((each) => stalls.get(each)?.inhibitedIds.has(subject.rule.id));
    const source = place === undefined ? undefined : stalls.get(place)?.source;
    if (source !== undefined) return toInhibitor(source, `all drives of ${place} stall`);
    return inhibitorWhileEnding(subject, ending);
  };
}

/** Drives recover one after another, and the last ones do not need a message. */
function inhibitorWhileEnding(
  subject: InhibitionSubject,
  ending: ReadonlyMap<string, InhibitingRule>,
): Inhibitor | null {
  const place = alertPlaces(subject).find((each) => ending.has(`${subject.inhibitedBy} ${each}`));
  const source = place === undefined ? undefined : ending.get(`${subject.inhibitedBy} ${place}`);
  return source === undefined ? null : toInhibitor(source, `drives of ${place} still stall`);
}

const alertPlaces = ({ labels: { node }, vault }: InhibitionSubject): string[] => [
  ...(vault === "" ? [] : [`vault ${vault}`]),
  ...(node === undefined ? [] : [`node ${node}`]),
];

interface Stall {
  readonly source: InhibitingRule;
  readonly inhibitedIds: ReadonlySet<string>;
}

/** Finds vaults and nodes in which every drive of at least two of these rules fires. */
function findStalls(subjects: readonly InhibitionSubject[]): Map<string, Stall> {
  const places = Map.groupBy(
    subjects.flatMap((subject) => alertPlaces(subject).map((place) => ({ place, subject }))),
    ({ place }) => place,
  );
  const stalls = new Map<string, Stall>();
  for (const [place, found] of places) {
    const byRule = Map.groupBy(
      found.map(({ subject }) => subject),
      ({ rule }) => rule.id,
    );
    const slow = [...byRule.values()].filter((all) => all.every(({ status }) => status === "firing"));
    slow.sort((a, b) => b.length - a.length || stallRank(a) - stallRank(b));
    const [most, ...others] = slow;
    const source = most?.[0]?.rule;
    if (source === undefined || others.length === 0 || (most?.length ?? 0) < stalledDrivesMin) continue;
    stalls.set(place, { source, inhibitedIds: new Set(others.flatMap(([first]) => first?.rule.id ?? [])) });
  }
  return stalls;
}

const stallRank = ([first]: readonly InhibitionSubject[]): number =>
  stallKeys.indexOf(first?.rule.builtInKey ?? null);

/** Finds the inhibitors of these rules' alerts; `own` replaces the stored states of its rules. */
export async function readInhibitors(
  db: Core["db"] | Transaction,
  rules: readonly InhibitingRule[],
  own: readonly InhibitionSubject[] = [],
): Promise<InhibitorOf> {
  const stalls = rules.some(isStallRule)
    ? [{ rule: { builtInKey: { in: stallKeys.flatMap((key) => key ?? []) } } }]
    : [];
  const states = await db.alertState.findMany({
    where: {
      OR: [
        { status: "firing", rule: { builtInKey: { in: [silentNodeKey, ...Object.keys(fullReasons)] } } },
        ...stalls,
      ],
    },
    select: {
      ruleId: true,
      group: true,
      status: true,
      labels: true,
      rule: { select: { id: true, name: true, builtInKey: true } },
    },
  });
  const ownIds = new Set(own.map(({ rule }) => rule.id));
  const others = states.filter(({ ruleId }) => !ownIds.has(ruleId));
  const vaultOf = await findVaults(db, others.map(storedLabels));
  return findInhibitors([
    ...own,
    ...others.map((state) => {
      const labels = storedLabels(state);
      return { rule: state.rule, status: state.status, labels, vault: vaultOf(labels) };
    }),
  ]);
}
