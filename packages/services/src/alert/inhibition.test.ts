import { expect, test } from "vitest";
import { findInhibitors, type InhibitionSubject } from "./inhibition.ts";

const subject = (
  key: string,
  labels: Record<string, string>,
  changes: Partial<InhibitionSubject> = {},
): InhibitionSubject => ({
  rule: { id: `id of ${key}`, name: key, builtInKey: key },
  status: "firing",
  labels,
  vault: "photos",
  ...changes,
});
const drives = (key: string, node: string, count: number, changes: Partial<InhibitionSubject> = {}) =>
  Array.from({ length: count }, (_, at) => subject(key, { node, device: `d${at}` }, changes));

/** Maps each of these alerts to the alert that inhibits it. */
const inhibitors = (all: readonly InhibitionSubject[]) => {
  const inhibitorOf = findInhibitors(all);
  return all
    .filter(({ status }) => status === "firing")
    .map((each) => {
      const found = inhibitorOf(each);
      return `${each.rule.name} ${Object.values(each.labels).join(" ")} < ${found === null ? "-" : `${found.ruleName}: ${found.reason}`}`;
    });
};

test("a silent node inhibits the alerts of its drives, but neither itself nor those of other nodes", () => {
  const all = [
    subject("node-silence", { node: "pod-1" }),
    subject("node-silence", { node: "pod-2" }, { status: "pending" }),
    subject("drive-down", { node: "pod-1", device: "h0" }),
    subject("drive-down", { node: "pod-2", device: "h0" }),
    subject("vault-full", { vault: "photos" }),
  ];
  expect(inhibitors(all)).toEqual([
    "node-silence pod-1 < -",
    "drive-down pod-1 h0 < node-silence: node pod-1 is silent",
    "drive-down pod-2 h0 < -",
    "vault-full photos < -",
  ]);
});

test("a full vault inhibits the alerts that warned of it, but neither other vaults nor other rules", () => {
  const all = [
    subject("vault-full", { vault: "photos" }),
    subject("vault-filling", { vault: "photos" }),
    subject("vault-time-to-full", { vault: "photos" }),
    subject("vault-filling", { vault: "films" }, { vault: "films" }),
    subject("index-filling", { vault: "photos" }),
    subject("durable-margin", { vault: "photos" }),
  ];
  expect(inhibitors(all)).toEqual([
    "vault-full photos < -",
    "vault-filling photos < vault-full: vault photos is full",
    "vault-time-to-full photos < vault-full: vault photos is full",
    "vault-filling films < -",
    "index-filling photos < -",
    "durable-margin photos < -",
  ]);
  const ended = [subject("vault-full", { vault: "photos" }, { status: "ok" }), subject("vault-filling", {})];
  expect(inhibitors(ended)).toEqual(["vault-filling  < -"]);
});

test("a full index inhibits the alerts that warned of it, but not those of the vault's space", () => {
  const all = ["index-full", "index-filling", "index-time-to-full", "vault-filling"];
  expect(inhibitors(all.map((key) => subject(key, { vault: "photos" })))).toEqual([
    "index-full photos < -",
    "index-filling photos < index-full: vault photos has a full index",
    "index-time-to-full photos < index-full: vault photos has a full index",
    "vault-filling photos < -",
  ]);
});

test("a stall of all 21 drives of a vault is one cause: the rule with the most drives", () => {
  const all = [...drives("fsync-ssd", "stash-1", 1), ...drives("fsync-hdd", "pod-1", 20)];
  const told = inhibitors(all).filter((line) => line.endsWith("< -"));
  expect(told).toHaveLength(20);
  expect(inhibitors(all)[0]).toBe("fsync-ssd stash-1 d0 < fsync-hdd: all drives of vault photos stall");
});

test.each<[string, InhibitionSubject[]]>([
  [
    "one drive is well",
    [
      ...drives("fsync-ssd", "stash-1", 2),
      ...drives("fsync-hdd", "pod-1", 19),
      subject("fsync-hdd", { node: "pod-1", device: "well" }, { status: "ok" }),
    ],
  ],
  ["one rule alone fires", drives("fsync-hdd", "pod-1", 20)],
  ["each rule has a single drive", [...drives("fsync-ssd", "a", 1), ...drives("fsync-hdd", "a", 1)]],
  [
    "the other rule is of another vault",
    [...drives("fsync-ssd", "a", 3, { vault: "films" }), ...drives("fsync-hdd", "b", 3)],
  ],
  ["the rules are about something else", [...drives("drive-down", "a", 3), ...drives("fsync-hdd", "a", 3)]],
])("nothing is inhibited if %s", (_what, all) => {
  expect(inhibitors(all).filter((line) => !line.endsWith("< -"))).toEqual([]);
});

test("until a stall ends, inhibited alerts stay inhibited, and others are sent", () => {
  const [one, two] = drives("fsync-ssd", "stash-1", 2, { inhibitedBy: "id of fsync-hdd" });
  const fresh = subject("fsync-ssd", { node: "stash-1", device: "new" });
  const hdds = [
    ...drives("fsync-hdd", "pod-1", 19, { status: "ok" }),
    subject("fsync-hdd", { node: "pod-1", device: "last" }),
  ];
  const ssds = [one, two, fresh].flatMap((each) => each ?? []);
  const lines = (all: readonly InhibitionSubject[]) =>
    inhibitors(all).filter((line) => line.startsWith("fsync-ssd"));
  expect(lines([...ssds, ...hdds])).toEqual([
    "fsync-ssd stash-1 d0 < fsync-hdd: drives of vault photos still stall",
    "fsync-ssd stash-1 d1 < fsync-hdd: drives of vault photos still stall",
    "fsync-ssd stash-1 new < -",
  ]);
  expect(lines([...ssds, ...hdds.slice(0, 19)]).filter((line) => !line.endsWith("< -"))).toEqual([]);
});

test("a stalled host among others of its vault is one cause too", () => {
  const all = [
    ...drives("fsync-ssd", "host-1", 2),
    ...drives("fsync-hdd", "host-1", 4),
    ...drives("fsync-hdd", "host-2", 4, { status: "ok" }),
  ];
  expect(inhibitors(all).filter((line) => !line.endsWith("< -"))).toEqual([
    "fsync-ssd host-1 d0 < fsync-hdd: all drives of node host-1 stall",
    "fsync-ssd host-1 d1 < fsync-hdd: all drives of node host-1 stall",
  ]);
});

test("a thousand nodes with ten drives each are judged in one pass", () => {
  const all = Array.from({ length: 1_000 }, (_, at) => drives("fsync-hdd", `pod-${at}`, 10)).flat();
  const both = [...all, ...drives("fsync-ssd", "stash-1", 2)];
  expect(inhibitors(both).filter((line) => line.endsWith("< -"))).toHaveLength(10_000);
});
