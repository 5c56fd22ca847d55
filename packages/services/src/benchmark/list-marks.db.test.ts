import { createBenchmarkPlanInput, listBenchmarkMarksInput } from "@stashlight/contracts/benchmark";
import { beforeEach, expect, test } from "vitest";
import { newId } from "../ids.ts";
import { createTestEndpoint, type Person, seedBenchmarkRun, useFreshInstallation } from "../testing/index.ts";
import { createBenchmarkPlan } from "./create-plan.ts";
import { listBenchmarkMarks } from "./list-marks.ts";

const { installation } = useFreshInstallation();
let operator: Person;
const at = (time: string) => new Date(`2026-11-21T${time}Z`);

beforeEach(async () => {
  installation.clock.set(at("09:00:00"));
  operator = await installation.person("operator", "Olga");
});

const endpoint = async (name: string, changes: object) => ({
  id: await createTestEndpoint(installation.platform, { name, ...changes }),
  name,
});
type TestEndpoint = Awaited<ReturnType<typeof endpoint>>;

async function createPlan(name: string, endpoints: readonly TestEndpoint[]): Promise<string> {
  const input = createBenchmarkPlanInput.parse({
    name,
    cron: "0 */6 * * *",
    method: { name: "pings", parameters: {} },
    endpointIds: endpoints.map(({ id }) => id),
  });
  return (await createBenchmarkPlan({ ctx: operator.ctx, input })).planId;
}

interface Slot {
  planId: string;
  endpoints: readonly TestEndpoint[];
  startedAt: Date;
  finishedAt: Date;
  plannedAt?: Date;
  state?: "succeeded" | "failed" | "skipped";
}

async function addSlot({ planId, endpoints, startedAt, finishedAt, plannedAt = startedAt, state }: Slot) {
  const slot = { scheduleId: planId, plannedAt, startedAt, finishedAt, state: state ?? "succeeded" };
  await installation.platform.db.scheduleRun.create({ data: { ...slot, trigger: "schedule" } });
  for (const each of endpoints) {
    await seedBenchmarkRun(installation.platform, {
      planId,
      endpoint: each,
      slotAt: plannedAt,
      wireMs: [1, 2],
    });
  }
}

async function marks(from: string, to: string, changes: object = {}) {
  const viewer = await installation.person("viewer");
  const input = listBenchmarkMarksInput.parse({
    fromMs: at(from).getTime(),
    toMs: at(to).getTime(),
    ...changes,
  });
  return listBenchmarkMarks({ ctx: viewer.ctx, input });
}

test("a slot that loaded the local vault is one mark, from its start to its end, even if it also measured other stores", async () => {
  const endpoints = [
    await endpoint("Stash path", { kind: "vault", builtInKey: "local-stash" }),
    await endpoint("Direct path", { kind: "vault", builtInKey: "local-direct" }),
    await endpoint("B2", { kind: "b2" }),
  ];
  const planId = await createPlan("Paths", endpoints);
  const times = { startedAt: at("12:00:05"), finishedAt: at("12:00:40") };
  await addSlot({ planId, endpoints, plannedAt: at("12:00:00"), ...times });
  expect(await marks("11:00:00", "13:00:00")).toEqual([
    { planId, planName: "Paths", plannedAt: at("12:00:00"), ...times, vaults: ["local"] },
  ]);
});

test("a slot of an unknown vault has a mark without a vault name, and a slot of another store has no mark", async () => {
  const vault = [await endpoint("Vault elsewhere", { kind: "vault" })];
  const store = [await endpoint("B2", { kind: "b2" })];
  const times = { startedAt: at("12:00:00"), finishedAt: at("12:01:00") };
  await addSlot({ planId: await createPlan("Elsewhere", vault), endpoints: vault, ...times });
  await addSlot({ planId: await createPlan("Stores", store), endpoints: store, ...times });
  expect(await marks("11:00:00", "13:00:00")).toMatchObject([{ planName: "Elsewhere", vaults: [] }]);
});

test("an operator's own endpoint belongs to the vault whose coordinator serves its address, under any name of this machine", async () => {
  const node = { role: "coordinator", status: "active", lastSeenAt: null } as const;
  await installation.platform.db.node.createMany({
    data: [
      { ...node, id: newId(), name: "c-1", vault: "photos", s3Url: "http://127.0.0.1:4690", s3Region: "r" },
      { ...node, id: newId(), name: "c-2", vault: "films", s3Url: "https://s3.films.test", s3Region: "r" },
    ],
  });
  const endpoints = [
    await endpoint("Mine", { kind: "s3-compatible", url: "http://localhost:4690" }),
    await endpoint("Films", { kind: "vault", url: "https://s3.films.test" }),
    await endpoint("Elsewhere", { kind: "s3-compatible", url: "https://s3.test" }),
  ];
  const planId = await createPlan("Mine", endpoints);
  await addSlot({ planId, endpoints, startedAt: at("12:00:00"), finishedAt: at("12:01:00") });
  const [mark] = await marks("11:00:00", "13:00:00");
  expect(mark?.vaults.toSorted()).toEqual(["films", "photos"]);
});

test("marks are successful slots within the range, newest first, up to the requested number", async () => {
  const endpoints = [await endpoint("Stash path", { kind: "vault", builtInKey: "local-stash" })];
  const planId = await createPlan("Paths", endpoints);
  const slots = [
    ["10:00:00", "10:59:59", "succeeded"],
    ["10:55:00", "11:00:10", "succeeded"],
    ["11:30:00", "11:31:00", "failed"],
    ["11:40:00", "11:41:00", "skipped"],
    ["12:59:50", "13:00:30", "succeeded"],
    ["13:00:00", "13:01:00", "succeeded"],
  ] as const;
  for (const [startedAt, finishedAt, state] of slots) {
    await addSlot({ planId, endpoints, startedAt: at(startedAt), finishedAt: at(finishedAt), state });
  }
  const startsOf = async (changes: object) =>
    (await marks("11:00:00", "13:00:00", changes)).map(({ startedAt }) => startedAt);
  expect(await startsOf({})).toEqual([at("12:59:50"), at("10:55:00")]);
  expect(await startsOf({ pageSize: 1 })).toEqual([at("12:59:50")]);
});
