import fc from "fast-check";
import { expect, test } from "vitest";
import { type AlertPolicy, evaluate, type GroupState } from "./evaluate.ts";
import { groupIntoIncidents, type Incident } from "./incident-grouping.ts";

const intervalMs = 15_000;
const limit = 10;
const policy: AlertPolicy = {
  query: { metric: "stashlight_stash_live_bytes" },
  condition: {
    kind: "threshold",
    statistic: "last",
    comparison: "above",
    threshold: limit,
    windowSeconds: 60,
  },
  forSeconds: 15,
  keepFiringSeconds: 15,
  noData: "keep",
};
const groups = ["a", "b", "c", "d"];
const groupVault = (group: string) => (group < "c" ? "photos" : "films");

/** One value per group and evaluation; null for none. */
type Turn = readonly (number | null)[];

interface Followed {
  /** Every incident in its latest state. */
  readonly history: readonly Incident[];
  /** The groups that fire after each evaluation. */
  readonly firing: readonly (readonly GroupState[])[];
}

function follow(turns: readonly Turn[]): Followed {
  const history = new Map<string, Incident>();
  const firing: GroupState[][] = [];
  let states: readonly GroupState[] = [];
  turns.forEach((turn, index) => {
    const nowMs = (index + 1) * intervalMs;
    const samples = turn.map((value, at) => ({ group: groups[at] ?? "", labels: {}, value, atMs: nowMs }));
    ({ states } = evaluate({ policy, previous: states, samples, nowMs, intervalMs }));
    const open = [...history.values()].filter(({ endedMs }) => endedMs === null);
    const members = states.filter(({ status }) => status === "firing");
    const followed = groupIntoIncidents({
      open,
      firing: members.map((state) => ({ state, vault: groupVault(state.group) })),
      unevaluatedSeconds: () => 0,
      isWorse: (value, than) => value > than,
      nowMs,
      newId: () => `incident ${history.size} ${nowMs} ${Math.random()}`,
    });
    for (const incident of followed) history.set(incident.id, incident);
    firing.push(members);
  });
  return { history: [...history.values()], firing };
}

/** Finds the stretches of evaluations in which some group fires in a vault, each with its groups. */
function stretchesOf(vault: string, firing: Followed["firing"]): Set<string>[] {
  const stretches: Set<string>[] = [];
  let isOpen = false;
  for (const states of firing) {
    const members = states.map(({ group }) => group).filter((group) => groupVault(group) === vault);
    if (members.length > 0 && !isOpen) stretches.push(new Set());
    isOpen = members.length > 0;
    for (const group of members) stretches.at(-1)?.add(group);
  }
  return stretches;
}

test("any sequence of evaluations has one history row per incident, with every group that fired in it", () => {
  const value = fc.option(fc.double({ min: 0, max: 20, noNaN: true }), { nil: null });
  const turn = fc.tuple(value, value, value, value);
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 60 }), (turns) => {
      const { history, firing } = follow(turns);
      for (const vault of ["photos", "films"]) {
        const ofVault = history.filter((incident) => incident.vault === vault);
        expect(ofVault.map((incident) => new Set(incident.groups))).toEqual(stretchesOf(vault, firing));
        const open = ofVault.filter(({ endedMs }) => endedMs === null);
        const isFiring = firing.at(-1)?.some(({ group }) => groupVault(group) === vault) ?? false;
        expect(open).toHaveLength(isFiring ? 1 : 0);
      }
    }),
  );
});

test("an incident keeps its worst value and the group that had it", () => {
  const turns = [
    [20, 0, 0, 0],
    [20, 30, 0, 0],
    [25, 30, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ];
  const { history } = follow(turns);
  expect(history).toMatchObject([
    {
      vault: "photos",
      groups: ["a", "b"],
      worstValue: 30,
      openedMs: 2 * intervalMs,
      endedMs: 5 * intervalMs,
    },
  ]);
});

test("an unchanged incident is not written again", () => {
  const open: Incident = {
    id: "i",
    vault: "photos",
    openedMs: 0,
    endedMs: null,
    groups: ["a"],
    worst: null,
    worstValue: 20,
    unevaluatedSeconds: 60,
  };
  const { firing } = follow([
    [15, 0, 0, 0],
    [15, 0, 0, 0],
  ]);
  const members = (firing.at(-1) ?? []).map((state) => ({ state, vault: "photos" }));
  const isWorse = (value: number, than: number) => value > than;
  const followed = groupIntoIncidents({
    open: [open],
    firing: members,
    unevaluatedSeconds: () => 60,
    isWorse,
    nowMs: 1,
    newId: () => "new",
  });
  expect(followed[0]).toBe(open);
});
