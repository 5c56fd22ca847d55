import { DAY_MS } from "@stashlight/contracts/time";
import { testProfile } from "@stashlight/db/testing";
import { expect, test } from "vitest";
import { runRollUp } from "../../metrics/roll-up/roll-up.ts";
import { accept, createTestNode, useFreshInstallation } from "../../testing/index.ts";
import { readOutgrown } from "./read-outgrown.ts";

const { installation } = useFreshInstallation();

const read = async () => readOutgrown({ ctx: (await installation.person("viewer")).ctx });

test("an installation without nodes has no forecast, and is shown how much history it needs", async () => {
  const found = await read();
  expect(found).toMatchObject({ profile: testProfile() });
  if (testProfile() === "citus") return;
  expect(found).toMatchObject({ state: "unknown", sentence: expect.stringContaining("0 of 37 days") });
  const missing = found.figures.filter(({ value }) => value === null).map(({ name }) => name);
  expect(missing).toEqual(["Growth", "Rows, at most", "Roll-up lag", "Free on its disk"]);
});

test("figures are those of the nodes that report, and simulated nodes do not count as growth", async () => {
  const { platform, clock } = installation;
  const nowMs = Math.floor(clock.now().getTime() / 60_000) * 60_000;
  const node = await createTestNode(platform, "stash-1");
  const simulated = await createTestNode(platform, "stash-2", true);
  const window = {
    endMs: nowMs - 120_000,
    histograms: [["stashlight_encode_seconds", {}, [0.001]]] as const,
    gauges: [["stashlight_client_connections", {}, 3]] as const,
  };
  await accept(platform, node.batch(window), simulated.batch(window));
  await runRollUp(platform);
  const { figures } = await read();
  const figure = (name: string) => figures.find((each) => each.name === name);
  expect(figure("Nodes")).toMatchObject({ value: 1, sampleCount: 1 });
  // One histogram row and one sample row every ten seconds.
  expect(figure("Rows, at most")).toMatchObject({ value: 0.2, sampleCount: 1 });
  expect(figure("Roll-up lag")).toMatchObject({ sampleCount: 2 });
  expect(figure("Measurements")?.value).toBeGreaterThan(100_000);
});

test("a year of growth gives a date, even if nodes were revoked since", async () => {
  const { platform, clock } = installation;
  for (let i = 0; i < 40; i++) {
    const { id } = await createTestNode(platform, `node-${i}`);
    const createdAt = new Date(clock.now().getTime() - (400 - 9 * i) * DAY_MS);
    const isRevoked = i % 4 === 3;
    await platform.db.node.update({
      where: { id },
      data: { createdAt, ...(isRevoked ? { status: "revoked", lastSeenAt: createdAt } : {}) },
    });
  }
  if (testProfile() === "citus") return;
  const found = await read();
  expect(found).toMatchObject({
    state: "good",
    sentence: expect.stringMatching(/^At 2\.\d nodes per month, one Postgres /),
  });
  expect(found.figures.find(({ name }) => name === "Nodes")?.value).toBe(30);
});
