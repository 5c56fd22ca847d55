import { type LostObject, lostObjectsCurrentMs } from "@stashlight/contracts/lost-object";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import { testLostObject } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { runHousekeeping } from "../housekeeping/run.ts";
import { newId } from "../ids.ts";
import { exchangeObjectQuestions } from "../object-location/exchange.ts";
import { type Person, useFreshInstallation } from "../testing/index.ts";
import { listLostObjects } from "./list-lost.ts";

const { installation, operator } = useFreshInstallation("operator");

const object = (uploadId: string, sinceMs: number): LostObject => ({
  ...testLostObject,
  uploadId,
  key: uploadId,
  sinceMs,
});
const coordinator = (vault = "main"): AuthenticatedNode => ({
  nodeId: newId(),
  name: "coordinator-1",
  vault,
  role: "coordinator",
  status: "active",
  isSimulated: false,
});
const report = (from: AuthenticatedNode, total: number, ...objects: LostObject[]) =>
  exchangeObjectQuestions(installation.platform, from, [], { total, objects });
const list = (person: Person, vault = "main") => listLostObjects({ ctx: person.ctx, input: { vault } });

test("a vault whose coordinators never reported has no figure", async () => {
  await report(coordinator("elsewhere"), 1, object("a", 1));
  expect(await list(operator)).toEqual({ reportedAt: null, isCurrent: false, total: 0, objects: [] });
});

test("the latest lists of a vault's coordinators are combined", async () => {
  const [one, other] = [coordinator(), coordinator()];
  await report(one, 1, object("a", 1));
  await report(one, 2, object("b", 2), object("c", 3));
  await report(other, 1, object("c", 1));
  const { total, objects, isCurrent, reportedAt } = await list(operator);
  expect([total, isCurrent, reportedAt]).toEqual([2, true, installation.platform.now()]);
  expect(objects?.map(({ uploadId, sinceMs }) => [uploadId, sinceMs])).toEqual([
    ["b", 2],
    ["c", 1],
  ]);
});

test("viewers see the number of objects, but no names", async () => {
  await report(coordinator(), 1, object("a", 1));
  expect(await list(await installation.person("viewer", "Vera"))).toMatchObject({ total: 1, objects: null });
});

test("a report without a list changes nothing", async () => {
  const one = coordinator();
  await report(one, 1, object("a", 1));
  await exchangeObjectQuestions(installation.platform, one, []);
  expect((await list(operator)).total).toBe(1);
});

test("a lost coordinator does not contradict the others, and an old list is marked as old", async () => {
  const [gone, here] = [coordinator(), coordinator()];
  await report(gone, 1, object("a", 1));
  installation.clock.advance(lostObjectsCurrentMs + 1);
  expect(await list(operator)).toMatchObject({ isCurrent: false, total: 1 });
  await report(here, 0);
  expect(await list(operator)).toMatchObject({ isCurrent: true, total: 0, objects: [] });
});

test("names of lost objects are deleted after a day", async () => {
  await report(coordinator(), 1, object("a", 1));
  installation.clock.advance(25 * 3_600_000);
  await runHousekeeping(installation.platform);
  expect(await list(operator)).toMatchObject({ reportedAt: null, total: 0 });
});
