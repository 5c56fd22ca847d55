import type { schemes } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { parseLayout } from "./parse-layout.ts";
import { judgePlacement } from "./placement.ts";
import type { Layout } from "./schema.ts";

interface Shape {
  readonly scheme?: keyof typeof schemes;
  /** Stash drives of each stash server. */
  readonly stash: readonly number[];
  /** Pods of each pod machine. */
  readonly pods: readonly number[];
  readonly zones?: readonly string[];
}

function makeLayout({ scheme = "16+4", stash, pods, zones = [] }: Shape): Layout {
  const machine = (name: string, role: string, count: number, at: number) =>
    `  - { name: ${name}-${at}, address: ${name}-${at}.test, ${role}: "/srv/d{1..${count}}"${zones[at] === undefined ? "" : `, zone: ${zones[at]}`} }`;
  const machines = [
    "  - { name: front, address: front.test, coordinator: true }",
    ...stash.map((count, at) => machine("fast", "stash", count, at)),
    ...pods.map((count, at) => machine("store", "pods", count, at)),
  ];
  return parseLayout(
    `vault: v\nscheme: ${scheme}\nsize: { pod: 4TB, stash: 400GB }\nmachines:\n${machines.join("\n")}`,
    "v.yaml",
  );
}
const times = (count: number, each: number) => Array<number>(count).fill(each);

const wide = (who: string): string =>
  `${who} more than 1 pod: while such a machine is away, even for a restart, objects can be read but every upload is refused. With one pod per machine uploads would continue, as they would with a second vault behind the endpoint.`;

test.each<[string, Shape, readonly string[]]>([
  ["seven servers and one pod per machine", { stash: times(7, 3), pods: times(20, 1) }, []],
  ["four pods per machine", { stash: times(7, 3), pods: times(5, 4) }, [wide("5 machines have")]],
  ["two pods on one machine", { stash: times(7, 3), pods: [...times(18, 1), 2] }, [wide("store-18 has")]],
  [
    "five stash servers",
    { stash: times(5, 4), pods: times(20, 1) },
    ["16+4 on 5 stash servers does not survive the loss of one; on 7 it would."],
  ],
  [
    "one stash server",
    { stash: [21], pods: times(20, 1) },
    ["16+4 on 1 stash server does not survive the loss of one; on 7 it would."],
  ],
  [
    "17+3 on seven",
    { scheme: "17+3", stash: times(7, 3), pods: times(20, 1) },
    ["17+3 on 7 stash servers does not survive the loss of one; on 10 it would."],
  ],
  ["15+5 on five", { scheme: "15+5", stash: times(5, 4), pods: times(20, 1) }, []],
  [
    "too few stash drives",
    { stash: times(7, 2), pods: times(20, 1) },
    [
      "16+4 needs 19 stash drives or more for an upload, but there are 14; every upload would wait for the pods' drives.",
    ],
  ],
  [
    "unevenly dealt stash drives",
    { stash: [12, ...times(6, 2)], pods: times(20, 1) },
    [
      "16+4 would put 8 shards of an upload on one stash server, but only 3 may be lost with it; add drives to the servers with the fewest.",
    ],
  ],
  [
    "ten pods a machine",
    { stash: times(7, 3), pods: [10, 10] },
    [
      ...[0, 1].map(
        (at) =>
          `store-${at} has 10 pods, and 16+4 can read with at most 4 of them missing; nothing could be read while this machine is away.`,
      ),
      wide("2 machines have"),
    ],
  ],
])("the failures that a layout does not survive are listed: %s", (_name, shape, weaknesses) => {
  expect(judgePlacement(makeLayout(shape)).weaknesses).toEqual(weaknesses);
});

test("zones whose loss stops reads or loses uploads on the stash are noted", () => {
  const zones = ["a", "a", "b", "b", "c", "c", "c"];
  expect(judgePlacement(makeLayout({ stash: times(7, 3), pods: times(5, 4), zones })).notes).toEqual([
    "Zone a has 8 pods, and 16+4 can read with at most 4 of them missing; nothing could be read while the zone is away.",
    "Zone b has 8 pods, and 16+4 can read with at most 4 of them missing; nothing could be read while the zone is away.",
    "The stash of 3 zones does not survive the loss of one in a power cut; with 7 zones it would.",
  ]);
  expect(judgePlacement(makeLayout({ stash: times(7, 3), pods: times(20, 1) })).notes).toEqual([]);
});
