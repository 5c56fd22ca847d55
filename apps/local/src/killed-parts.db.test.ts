/** Kills the parts of a real installation, console and Postgres included, while clients upload. */
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { S3Client } from "@stashlight/s3/client";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createKilledInstallation, type KilledInstallation } from "./testing/killed-installation.ts";
import { bucket, killedParts, killParts, startUploads, untilWell } from "./testing/part-kills.ts";

// The first start builds the console if it is missing.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

/** `pnpm soak:kills` kills each part a thousand times. */
const KILLS = 12;

let installation: KilledInstallation;
let client: S3Client;

beforeAll(async () => {
  installation = await createKilledInstallation(tmpdir());
  await installation.start();
  client = installation.client(4);
});
afterAll(async () => {
  client.close();
  await installation.stop();
  installation.remove();
});

/** Lines of the terminal that contain the text. */
const linesWith = (text: string) =>
  installation
    .output()
    .split("\n")
    .filter((line) => line.includes(text));

/** A pseudo-random sequence, the same in every run. */
function fractions(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

test("no put fails while every part except the vault is killed repeatedly, and all of them come back", async () => {
  const uploads = await startUploads(client);
  const { kills } = await killParts(installation, KILLS, fractions());
  expect(kills).toEqual(Object.fromEntries(killedParts.map((name) => [name, KILLS])));
  const putsAfterKills = uploads.putCount();
  await untilWell(installation);
  await vi.waitFor(() => expect(uploads.putCount()).toBeGreaterThan(putsAfterKills), { timeout: 60_000 });
  expect(await uploads.finish()).toEqual([]);
  expect(uploads.failures).toEqual([]);
  for (const name of killedParts) {
    expect(linesWith(`${name} keeps failing`)).toHaveLength(1);
    const state = installation.parts().find((part) => part.name === name);
    expect(state?.failureCount).toBeGreaterThanOrEqual(KILLS);
    expect(state?.failingSinceMs).toEqual(expect.any(Number));
  }
  const others = installation.parts().filter(({ name }) => !killedParts.some((killed) => killed === name));
  expect(others.length).toBeGreaterThan(0);
  expect(others.map(({ failureCount }) => failureCount)).toEqual(others.map(() => 0));
});

test("an existing vault starts without its database, and the console follows once the database is repaired", async () => {
  await installation.stop();
  const versionFile = join(installation.dataDirectory, "postgres/PG_VERSION");
  const version = readFileSync(versionFile, "utf8");
  writeFileSync(versionFile, "9\n");
  await installation.start();
  expect(linesWith("The vault is running without its console")).toEqual([
    expect.stringContaining("was created by Postgres 9"),
  ]);
  const name = { bucket, key: "without-console" };
  await client.putObject({ ...name, body: Buffer.from("kept") });
  expect((await client.getObject(name)).body.toString()).toBe("kept");
  writeFileSync(versionFile, version);
  const isRunning = () => expect(linesWith("Stashlight is running at")).toHaveLength(1);
  await vi.waitFor(isRunning, { timeout: 300_000, interval: 50 });
  await untilWell(installation);
  expect((await client.getObject(name)).body.toString()).toBe("kept");
});
