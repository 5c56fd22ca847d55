import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ApiVault } from "@stashlight/contracts/public-api/vaults";
import { expect, onTestFinished, test } from "vitest";
import { smallVault } from "../testing.ts";
import { takeConsoleDurability } from "./console-durability.ts";
import { buildStatusReport } from "./report.ts";

const report = buildStatusReport(smallVault("small", { podNodeCount: 3, stashNodeCount: 2 }), {
  coordinators: new Map(),
  drives: new Map(),
});

const vault: ApiVault = {
  name: "small",
  state: "good",
  reasons: [],
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
      ? { answeredAt: "2026-11-29T12:00:00.000Z", vaults }
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

test("a report takes the sentence, the assumptions and the nines that the console shows", async () => {
  const url = await consoleWith([{ ...vault, name: "other" }, vault]);
  const [found] = await takeConsoleDurability([report], { url, token: "sla_x" });
  expect(found).toEqual({
    ...report,
    durability: {
      sentence: vault.durability?.sentence,
      remedy: null,
      assumptions: ["5 % of failures take 2 drives at once."],
      nines: 4.2,
      source: "console",
    },
  });
});

test.each([
  [
    "refuses the token",
    "sla_y",
    "This is only the current durability: The token is not known or was revoked.",
  ],
  ["does not know the vault", "sla_x", "has no durability of a vault small."],
])("a report keeps its own durability and gets the reason if the console %s", async (_, token, problem) => {
  const url = await consoleWith([]);
  const [found] = await takeConsoleDurability([report], { url, token });
  expect(found?.durability).toEqual(report.durability);
  expect(found?.problems.at(-1)).toContain(problem);
});

test("a drive that the console calls slow is a problem of its vault alone", async () => {
  const sentence = "s7 takes 3.1 times (2.9 to 3.3) as long to sync as 20 peers at the same load.";
  const slow = { node: "stash-1", drive: "s7", sentence, since: "2026-11-29T12:00:00.000Z" };
  const url = await consoleWith([{ ...vault, slowDrives: [slow] }]);
  const other = { ...report, name: "other" };
  const found = await takeConsoleDurability([report, other], { url, token: "sla_x" });
  expect(found.map(({ problems }) => problems.includes(sentence))).toEqual([true, false]);
});
