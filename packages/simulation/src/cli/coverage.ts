/** Counts the hazards that a set of runs has met, and names the expected ones that it did not meet. */
import { type FaultName, faultNames } from "../options.ts";
import { endings } from "../trials/comeback.ts";
import { deeds } from "../world/ambush.ts";
import { overtakenWays } from "../world/overtaken-append.ts";
import { situationNames } from "./situations.ts";

/** Hazards that each fault causes when it strikes during activity. */
const hazardsOfFaults: Readonly<Record<FaultName, readonly string[]>> = {
  "power cut": ["power cut", "unsynced record kept", "unsynced record dropped"],
  "nested power cut": ["nested power cut"],
  "partial power cut": ["partial power cut"],
  "process crash": ["process crash"],
  "planned stop": ["planned stop", "index saved", "index resumed", "index not resumed"],
  "message faults": ["message lost", "message doubled", "message astray"],
  partition: ["partition", "message into a broken link"],
  "clogged link": ["clogged link", "message through a clogged link"],
  "slow disk": ["slow disk"],
  "hung disk": ["hung disk"],
  "failed sync": ["failed sync", "sync failed", "pod halted itself"],
  "lying sync": ["lying sync", "sync that lied"],
  "bit rot": ["bit rot"],
  "replaced drive": ["replaced drive"],
  "dead device": ["dead device"],
  "added device": ["added device", "added device took a shard"],
  "drained device": ["device drains", "drained device left"],
  "quarantined device": ["device quarantines", "device released", "quarantine refused"],
  "full stash": ["full stash"],
  "full pod": ["full pod"],
  pause: ["pause"],
  "clock jump": ["clock jump"],
  "forged message": ["forged message", "forged message sent"],
  ambush: ["ambush", ...deeds.map((deed) => `ambush: ${deed}`)],
  "thin quorum": ["thin quorum"],
  "overtaken append": ["overtaken append", ...overtakenWays.map((way) => `overtaken append: ${way}`)],
  "failing reads": ["failing reads", "pod could not read a shard"],
  "garbled reads": ["garbled reads", "pod found a shard damaged"],
  "rot beyond budget": ["rot beyond budget", "upload rotted beyond repair", "read of a lost object"],
};

/** Hazards that only the staged trials (trials/) reach. */
const trialHazards = [
  ...endings.map((ending) => `comeback: ${ending}`),
  "slow clocks: horizons in progress, after uploads",
  "slow clocks: horizons in progress, then an upload",
  "wall: reached",
];

/** Log events that every run on the real log should reach. */
const logHazards = ["log checkpoint", "log segment compacted", "log segment recycled"];

export interface Coverage {
  readonly faults: readonly (readonly [name: string, count: number])[];
  readonly situations: readonly (readonly [name: string, count: number])[];
  readonly neverReached: readonly string[];
}

export function computeCoverage(
  counts: ReadonlyMap<string, number>,
  allowed: readonly FaultName[],
): Coverage {
  const isSituation = (name: string) => situationNames.some((situation) => situation === name);
  const named = [...allowed.flatMap((name) => hazardsOfFaults[name]), ...logHazards, ...trialHazards];
  const others = [...counts.keys()].filter((name) => !named.includes(name) && !isSituation(name)).sort();
  // A hazard counts as missed only if the fault that causes it was requested.
  const isWhole = allowed.length === faultNames.length;
  const expected = isWhole ? [...named, ...situationNames] : named;
  const counted = (names: readonly string[]) => names.map((name) => [name, counts.get(name) ?? 0] as const);
  return {
    faults: counted([...named, ...others]),
    situations: counted(situationNames),
    neverReached: expected.filter((name) => (counts.get(name) ?? 0) === 0),
  };
}
