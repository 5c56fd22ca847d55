import { expect, test } from "vitest";
import {
  decideNotices,
  type FiringGroup,
  type GroupingInput,
  groupIntervalMs,
  groupWaitMs,
} from "./alert-grouping.ts";

const nowMs = 1_000_000_000;

const group = (name: string, changes: Partial<FiringGroup> = {}): FiringGroup => ({
  state: {
    group: name,
    labels: { device: name },
    status: "firing",
    sinceMs: nowMs,
    evaluatedMs: nowMs,
    value: 1,
    hasValue: true,
    evidence: null,
    sampleMs: nowMs,
    clearSinceMs: null,
    endsMs: null,
    unevaluatedSeconds: 0,
  },
  vault: "photos",
  mutedBy: null,
  firingEventId: name,
  notifiedMs: null,
  ...changes,
});

const said = (changes: Partial<GroupingInput>) =>
  decideNotices({
    firing: [],
    ended: [],
    remindSeconds: 0,
    nowMs,
    unsent: new Set(),
    acknowledged: new Set(),
    ...changes,
  }).map(
    ({ kind, firingEventId, groups }) =>
      `${kind} ${firingEventId}: ${groups.map(({ state }) => state.group).join(" ")}`,
  );

const told = (name: string, agoMs: number, firingEventId = "a") =>
  group(name, { firingEventId, notifiedMs: nowMs - agoMs });
const ended = (name: string, firingEventId = "a") => ({
  state: group(name).state,
  firingEventId,
  eventId: `end of ${name}`,
});

test("groups that begin to fire together are one incident per vault, without muted ones", () => {
  const firing = [
    group("a"),
    group("b"),
    group("c", { vault: "films" }),
    group("d", { mutedBy: "silenced" }),
  ];
  expect(said({ firing })).toEqual(["begins a: a b", "begins c: c"]);
});

test("a group that fires before the first message is sent joins it, and a later one is sent after five minutes", () => {
  const soon = [told("a", groupWaitMs / 2), group("b")];
  expect(said({ firing: soon, unsent: new Set(["a"]) })).toEqual(["joins a: a b"]);
  expect(said({ firing: soon })).toEqual([]);
  expect(said({ firing: [told("a", groupIntervalMs - 1), group("b")] })).toEqual([]);
  expect(said({ firing: [told("a", groupIntervalMs), group("b")] })).toEqual(["grows a: a b"]);
  expect(said({ firing: [told("a", groupIntervalMs)] })).toEqual([]);
});

test("a queued message is withdrawn once all its groups are muted, but not a sent one", () => {
  const muted = { ...told("a", groupWaitMs / 2), mutedBy: "inhibited" };
  const unsent = new Set(["a"]);
  expect(said({ firing: [muted], unsent })).toEqual(["withdraws a: a"]);
  expect(said({ firing: [muted] })).toEqual([]);
  expect(said({ firing: [muted, told("b", groupWaitMs / 2)], unsent })).toEqual([]);
});

test("a reminder is one message about everything that fires and is not muted", () => {
  const firing = [told("a", 60_000), told("b", 60_000), { ...told("c", 60_000), mutedBy: "silenced" }];
  expect(said({ firing, remindSeconds: 60 })).toEqual(["reminds a: a b"]);
  expect(said({ firing, remindSeconds: 61 })).toEqual([]);
  expect(said({ firing: firing.slice(2), remindSeconds: 60 })).toEqual([]);
});

test("an acknowledged incident gets no reminders, and a group that joins it is sent", () => {
  const acknowledged = new Set(["photos"]);
  const firing = [told("a", groupIntervalMs)];
  expect(said({ firing, remindSeconds: 60, acknowledged })).toEqual([]);
  expect(said({ firing, remindSeconds: 60, acknowledged: new Set(["films"]) })).toEqual(["reminds a: a"]);
  expect(said({ firing: [...firing, group("b")], acknowledged })).toEqual(["grows a: a b"]);
  expect(said({ ended: [ended("a")], acknowledged })).toEqual(["ends a: a"]);
});

test("the end of an incident is sent once, when none of its groups fires, even if other incidents continue", () => {
  expect(said({ ended: [ended("a")], firing: [told("b", 1)] })).toEqual([]);
  expect(said({ ended: [ended("a")], firing: [{ ...told("b", 1), mutedBy: "silenced" }] })).toEqual([]);
  expect(said({ ended: [ended("a"), ended("b")], firing: [told("z", 1, "z")] })).toEqual(["ends a: a b"]);
});

test("a thousand drives of ten vaults that fire in any order cause ten messages", () => {
  const firing = Array.from({ length: 1000 }, (_, at) => group(`d${at}`, { vault: `v${at % 10}` }));
  expect(said({ firing })).toHaveLength(10);
});
