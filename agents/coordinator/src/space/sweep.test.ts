import { MINUTE_MS } from "@stashlight/contracts/time";
import { expect, test } from "vitest";
import { PIECES } from "../records/pieces.ts";
import { VaultError } from "../vault/errors.ts";
import { LEASES } from "./large-object-holds.ts";
import {
  abort,
  beginMultipart,
  Coordinators,
  openRead,
  put,
  putPart,
  readOn,
  remove,
} from "./testing/coordinators.ts";

const BODY = "0123456789abcdefghijklmno";

test("another coordinator collects the garbage of a killed one, one grace period after first seeing it", async () => {
  const { coordinators, first } = await Coordinators.start();
  const second = coordinators.add();
  await put(second, "kept", BODY);
  await put(second, "deleted", BODY);
  const uploadId = await beginMultipart(second, "aborted");
  await putPart(second, "aborted", uploadId, 1, BODY);
  await coordinators.pass(2 * coordinators.timing.sweepGraceMs);
  await remove(second, "deleted");
  await abort(second, "aborted", uploadId);
  coordinators.kill(second);
  await coordinators.pass(coordinators.timing.sweepGraceMs - MINUTE_MS);
  expect(coordinators.pieceKeys).toHaveLength(9);
  await coordinators.pass(5 * MINUTE_MS);
  expect(coordinators.pieceKeys).toHaveLength(3);
  expect(await readOn(await openRead(first, "kept"))).toBe(BODY);
});

test("a sweep of a vault without large objects costs two lists", async () => {
  const { coordinators, first } = await Coordinators.start();
  for (let at = 0; at < 20; at += 1) await put(first, `small ${at}`, "1");
  await coordinators.pass(MINUTE_MS);
  const { passCount } = first.sweep;
  coordinators.vault.takeAsked();
  await coordinators.pass(60 * MINUTE_MS);
  const count = first.sweep.passCount - passCount;
  expect(count).toBeGreaterThan(50);
  expect(coordinators.vault.takeAsked()).toEqual({ [`list ${PIECES}`]: count, [`list ${LEASES}`]: count });
});

test("a step checks at most 50 bodies, from at most one page", async () => {
  const { coordinators, first } = await Coordinators.start();
  for (let at = 0; at < 400; at += 1) await put(first, `${at}`, BODY);
  coordinators.vault.takeAsked();
  let stepCount = 0;
  for (; first.sweep.passCount === 0; stepCount += 1) {
    await first.sweep.step();
    const asked = coordinators.vault.takeAsked();
    expect(asked[`list ${PIECES}`] ?? 0).toBeLessThanOrEqual(1);
    expect(asked["get photos"] ?? 0).toBeLessThanOrEqual(50);
  }
  expect(stepCount).toBeGreaterThan(8);
});

test("a body whose pieces span several pages is one body", async () => {
  const { coordinators, first } = await Coordinators.start();
  await put(first, "k", "x".repeat(15_005));
  const second = coordinators.add();
  coordinators.kill(first);
  await coordinators.vault.delete("photos", "k");
  await coordinators.pass(2 * coordinators.timing.sweepGraceMs);
  expect(coordinators.pieceKeys).toHaveLength(0);
  expect(second.collector.collectedBytes).toBe(15_005);
  expect(second.collector.collectedCount).toBe(1501);
});

test("the sweep learns which names hold large objects, and forgets them when the objects are gone", async () => {
  const { coordinators, first } = await Coordinators.start();
  await put(first, "k", BODY);
  const second = coordinators.add();
  await coordinators.pass(3 * coordinators.timing.sweepEveryMs);
  await put(second, "k", "small");
  await coordinators.pass(MINUTE_MS);
  expect(coordinators.pieceKeys).toEqual([]);
  await coordinators.pass(3 * coordinators.timing.sweepEveryMs);
  coordinators.vault.takeAsked();
  await put(second, "k", "again");
  expect(coordinators.vault.takeAsked()).not.toHaveProperty("head photos");
});

test("a failed sweep is repeated until it succeeds", async () => {
  const { coordinators, first } = await Coordinators.start();
  await put(first, "k", BODY);
  coordinators.vault.before = (verb) => {
    if (verb === "list") throw new VaultError("unavailable");
  };
  await coordinators.pass(5 * MINUTE_MS);
  expect(first.sweep.passCount).toBe(0);
  expect(first.failures.length).toBeGreaterThan(1);
  coordinators.vault.before = () => {};
  await coordinators.pass(5 * MINUTE_MS);
  expect(first.sweep.passCount).toBeGreaterThan(0);
});
