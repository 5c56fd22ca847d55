import type { AuthenticatedNode } from "@stashlight/contracts/node";
import { type ObjectLocation, objectQuestionOpenMs } from "@stashlight/contracts/object-location";
import { expect, test } from "vitest";
import { newId } from "../ids.ts";
import { auditEvents, createTestNode, type Person, useFreshInstallation } from "../testing/index.ts";
import { exchangeObjectQuestions } from "./exchange.ts";
import { locateObject } from "./locate.ts";
import { readLocations } from "./read-locations.ts";

const { installation, operator } = useFreshInstallation("operator");

const input = { bucket: "photos", key: "2026/cat.jpg" };
const absent: ObjectLocation = { type: "absent" };
const makeCoordinator = (vault: string): AuthenticatedNode => ({
  nodeId: newId(),
  name: "coordinator-1",
  vault,
  role: "coordinator",
  status: "active",
  isSimulated: false,
});
const exchange = (vault: string, answers: Parameters<typeof exchangeObjectQuestions>[2] = []) =>
  exchangeObjectQuestions(installation.platform, makeCoordinator(vault), answers);

async function enrolCoordinator(): Promise<void> {
  const { id } = await createTestNode(installation.platform, "coordinator-1");
  await installation.platform.db.node.update({
    where: { id },
    data: { role: "coordinator", status: "active" },
  });
}

test("a question is offered to coordinators of its vault until one answers, and the answer reaches the user who asked", async () => {
  await enrolCoordinator();
  const { askId } = await locateObject({ ctx: operator.ctx, input });
  const read = (person: Person) => readLocations({ ctx: person.ctx, input: { askId } });
  expect(await read(operator)).toEqual([{ vault: "v", location: null }]);
  const [question] = await exchange("v");
  expect(question).toMatchObject(input);
  expect(await exchange("elsewhere")).toEqual([]);
  const questionId = question?.questionId ?? "";
  // A coordinator of another vault cannot answer for this one, and the first answer stays.
  await exchange("elsewhere", [{ questionId, location: { type: "unknown", reason: "Mallory." } }]);
  expect(await read(operator)).toEqual([{ vault: "v", location: null }]);
  expect(await exchange("v", [{ questionId, location: absent }])).toEqual([]);
  await exchange("v", [{ questionId, location: { type: "unknown", reason: "Late." } }]);
  expect(await read(operator)).toEqual([{ vault: "v", location: absent }]);
  await expect(read(await installation.person("operator", "Olga"))).rejects.toMatchObject({
    code: "not_found",
  });
  expect((await auditEvents(installation.platform)).at(-1)).toMatchObject({
    action: "object.located",
    targetName: "photos/2026/cat.jpg",
  });
});

test("an expired question is not given to coordinators", async () => {
  await enrolCoordinator();
  await locateObject({ ctx: operator.ctx, input });
  expect(await exchange("v")).toHaveLength(1);
  installation.clock.advance(objectQuestionOpenMs);
  expect(await exchange("v")).toEqual([]);
});

test("without a coordinator a question is refused, and a pod receives no names", async () => {
  await createTestNode(installation.platform, "stash-1");
  await expect(locateObject({ ctx: operator.ctx, input })).rejects.toMatchObject({
    code: "precondition_failed",
  });
  const pod: AuthenticatedNode = { ...makeCoordinator("v"), role: "pod" };
  await expect(exchangeObjectQuestions(installation.platform, pod, [])).rejects.toMatchObject({
    code: "forbidden",
  });
});
