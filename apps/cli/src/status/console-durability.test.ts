import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ApiVault } from "@stashlight/contracts/public-api";
import { expect, onTestFinished, test } from "vitest";
import { smallVault } from "../testing.ts";
import { takeConsoleDurability } from "./console-durability.ts";
import { buildStatusReport } from "./report.ts";

const file = smallVault("small", { podNodeCount: 3, stashNodeCount: 2 });

/** Report of a vault whose pods have all settled, except these. */
function reportOf(unsettledPods: readonly number[]) {
  const state = { type: "running", lifecycle: "settled" };
  const drives = file.nodes.flatMap((node) =>
    node.role === "pod"
      ? [[node.id, node.drives.map(({ driveId }) => ({ driveId, state, log: null }))] as const]
      : [],
  );
  const up = <Health>(health: Health) => ({ type: "up", unreadiness: null, health }) as const;
  const health = {
    settledPodCount: 3,
    unsettledPods: [...unsettledPods],
    neededPodCount: 2,
    openRequestCount: 0,
  };
  return buildStatusReport(file, {
    coordinators: new Map([["coordinator-1", up(health)]]),
    drives: new Map(drives.map(([id, each]) => [id, up(each)])),
  });
}

const report = reportOf([]);

const vault: ApiVault = {
  name: "small",
  state: "good",
  reasons: [],
  judgedAt: null,
  nodeCount: 6,
  silentNodeCount: 0,
  fill: null,
  durability: {
    sentence: "All 3 pods hold all their shards: 4.2 nines a year (3.1 to 5.6).",
    remedy: null,
    nines: { low: 3.1, estimate: 4.2, high: 5.6 },
    missingPodCount: 0,
    podCount: 3,
    spareShare: 1,
    assumptions: ["5 % of failures take 2 drives at once."],
    reportedAt: "2026-11-29T12:00:00.000Z",
  },
  slowDrives: [],
  forecasts: [],
  lastSeenAt: null,
};

async function consoleWith(vaults: readonly ApiVault[]) {
  const server = createServer((request, response) => {
    const isKnown = request.headers.authorization === "Bearer sla_x";
    const body = isKnown
      ? { answeredAt: "2026-11-29T12:00:12.000Z", vaults }
      : { code: "unauthenticated", message: "The token is not known or was revoked." };
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a report without a console has the current durability", async () => {
  expect(await takeConsoleDurability([report], null)).toEqual([report]);
  expect(report.durability.source).toBe("moment");
});

test("a report uses the sentence, the assumptions and the nines that the console shows", async () => {
  const url = await consoleWith([{ ...vault, name: "other" }, vault]);
  const [found] = await takeConsoleDurability([report], { url, token: "sla_x" });
  expect(found).toEqual({
    ...report,
    durability: {
      sentence: vault.durability?.sentence,
      remedy: null,
      assumptions: ["5 % of failures take 2 drives at once."],
      missingPodCount: 0,
      nines: 4.2,
      source: "console",
    },
  });
});

test.each([
  [
    "still counts another number of missing pods",
    {},
    "The console's durability of 12 s ago is not shown: it counts 0 pods away or lacking shards, but 1 do not answer or lack shards now.",
  ],
  [
    "knows no number of missing pods",
    { missingPodCount: null, reportedAt: null, sentence: "Durability is unknown: no coordinator reports." },
    "The console's durability is not shown: Durability is unknown: no coordinator reports.",
  ],
])(
  "a report keeps its own durability and gets the difference if the console %s",
  async (_, changes, problem) => {
    const durability = vault.durability && { ...vault.durability, ...changes };
    const url = await consoleWith([{ ...vault, durability }]);
    const later = reportOf([1]);
    expect(await takeConsoleDurability([later], { url, token: "sla_x" })).toEqual([
      { ...later, problems: [...later.problems, problem] },
    ]);
  },
);

test.each([
  [
    "refuses the token",
    "sla_y",
    "This is only the current durability: The token is not known or was revoked.",
  ],
  ["does not know the vault", "sla_x", "has no durability for a vault small."],
])("a report keeps its own durability and gets the reason if the console %s", async (_, token, problem) => {
  const url = await consoleWith([]);
  const [found] = await takeConsoleDurability([report], { url, token });
  expect(found?.durability).toEqual(report.durability);
  expect(found?.problems.at(-1)).toContain(problem);
});

test("a drive that the console reports as slow is a problem only for its own vault", async () => {
  const sentence = "s7 takes 3.1 times (2.9 to 3.3) as long to sync as 20 peers at the same load.";
  const slow = { node: "stash-1", drive: "s7", sentence, since: "2026-11-29T12:00:00.000Z" };
  const url = await consoleWith([{ ...vault, slowDrives: [slow] }]);
  const other = { ...report, name: "other" };
  const found = await takeConsoleDurability([report, other], { url, token: "sla_x" });
  expect(found.map(({ problems }) => problems.includes(sentence))).toEqual([true, false]);
});
