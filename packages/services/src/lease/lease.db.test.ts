import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openCore } from "../core.ts";
import { newId } from "../ids.ts";
import { leasedSimulations } from "../simulation/leased.ts";
import { statementsIn } from "../statements-in.ts";
import { openTestInstallation, type TestInstallation } from "../testing/index.ts";
import { keepRenewed } from "./keep-renewed.ts";
import {
  claimDue,
  type DueRows,
  LeaseLostError,
  leaseMoment,
  lockDue,
  lockHeldBy,
  releaseLease,
  renewLease,
  takeLease,
} from "./lease.ts";

const leaseMs = 30_000;
const due: DueRows = {
  where: ({ expired }) => `(r.state = 'queued' OR ${expired()})`,
  orderBy: "r.created_at, r.id",
  countMax: 1,
};

let installation: TestInstallation;

beforeAll(async () => {
  installation = await openTestInstallation({ kind: "worker" });
});
afterAll(() => installation.close());
afterEach(async () => {
  vi.useRealTimers();
  await installation.platform.db.simulationRun.deleteMany();
});

const row = (id: string) => installation.platform.db.simulationRun.findUniqueOrThrow({ where: { id } });

async function queue(createdAt = new Date(0)): Promise<string> {
  const id = newId();
  await installation.platform.db.simulationRun.create({
    data: {
      id,
      name: "A simulation",
      scenario: {},
      requestedById: newId(),
      requestedByName: "Olga",
      createdAt,
    },
  });
  return id;
}

const at = () => leaseMoment(installation.platform);
const claim = (claimant: string, moment = at()) =>
  claimDue(statementsIn(installation.platform.db), leasedSimulations, { due, claimant, leaseMs }, moment);
const renew = (id: string, claimant: string, attempt: number, moment = at()) =>
  renewLease(
    statementsIn(installation.platform.db),
    leasedSimulations,
    { id },
    { claimant, attempt, leaseMs },
    moment,
  );

test("a claimed row belongs to its claimant until the lease ends, and is then free", async () => {
  const id = await queue();
  expect(await claim("one")).toEqual([{ id, attempts: 1 }]);
  expect(await row(id)).toMatchObject({
    state: "running",
    claimedBy: "one",
    leaseUntil: new Date(installation.clock.now().getTime() + leaseMs),
  });
  installation.clock.advance(leaseMs);
  expect(await claim("two")).toEqual([]);
  installation.clock.advance(1);
  expect(await claim("two")).toEqual([{ id, attempts: 2 }]);
});

test("a lease that is renewed does not end, and one that is lost is not renewed", async () => {
  const id = await queue();
  await claim("one");
  installation.clock.advance(leaseMs - 1);
  expect(await renew(id, "one", 1)).toEqual({ cancelledBy: null });
  installation.clock.advance(leaseMs);
  expect(await claim("two")).toEqual([]);
  installation.clock.advance(1);
  expect(await claim("two")).toEqual([{ id, attempts: 2 }]);
  await expect(renew(id, "one", 1)).rejects.toThrow(LeaseLostError);
  expect(await renew(id, "two", 2)).toEqual({ cancelledBy: null });
});

test("a claimant that took the row a second time cannot renew its first lease", async () => {
  const id = await queue();
  await claim("one");
  installation.clock.advance(leaseMs + 1);
  await claim("one");
  await expect(renew(id, "one", 1)).rejects.toThrow(LeaseLostError);
});

test("a renewal reports that a person cancelled", async () => {
  const id = await queue();
  await claim("one");
  const cancelled = { cancelRequestedAt: new Date(), cancelRequestedByName: "Olga" };
  await installation.platform.db.simulationRun.update({ where: { id }, data: cancelled });
  expect(await renew(id, "one", 1)).toEqual({ cancelledBy: "Olga" });
});

test("a released row has no lease, and can be claimed again once it waits", async () => {
  const id = await queue();
  await claim("one");
  await installation.platform.db.$transaction(async (tx) => {
    const held = await lockHeldBy(statementsIn(tx), leasedSimulations, "one");
    expect(held).toEqual([{ id }]);
    await releaseLease(statementsIn(tx), leasedSimulations, { id });
  });
  expect(await row(id)).toMatchObject({ leaseUntil: null });
  installation.clock.advance(leaseMs + 1);
  // The lease has not expired; the holder is to write the state.
  expect(await claim("two")).toEqual([]);
  await installation.platform.db.simulationRun.update({ where: { id }, data: { state: "queued" } });
  expect(await claim("two")).toEqual([{ id, attempts: 2 }]);
});

test("each row goes to one of many concurrent claimants", async () => {
  const ids = [await queue(), await queue(), await queue()];
  const claimants = Array.from({ length: 8 }, (_, i) => `claimant-${i}`);
  const claimed = (await Promise.all(claimants.map((claimant) => claim(claimant)))).flat();
  expect(claimed.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  expect(claimed.map(({ id }) => id).sort()).toEqual(ids.sort());
});

test("a row locked by another transaction is skipped, and taken by that transaction", async () => {
  const [first, second] = [await queue(new Date(1)), await queue(new Date(2))];
  await installation.platform.db.$transaction(async (tx) => {
    expect(await lockDue(statementsIn(tx), leasedSimulations, due, at())).toEqual([{ id: first }]);
    expect(await claim("other")).toEqual([{ id: second, attempts: 1 }]);
    expect(
      await takeLease(statementsIn(tx), leasedSimulations, { id: first }, { claimant: "one", leaseMs }, at()),
    ).toBe(1);
  });
  expect(await row(first)).toMatchObject({ claimedBy: "one" });
});

test("a process with a wrong clock neither takes a lease before it expires nor issues one that is too long", async () => {
  const { databaseUrl, secret, publicUrl } = installation.platform.options;
  const options = { kind: "worker", databaseUrl, secret, publicUrl, dataDirectory: null } as const;
  const core = openCore(options);
  const id = await queue();
  await claim("one", leaseMoment(core));
  // An hour ahead of the database.
  vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ["Date"] });
  const platform = openCore(options);
  expect(platform.now().getTime() - core.startedAt.getTime()).toBeGreaterThan(3_000_000);
  expect(await claim("two", leaseMoment(platform))).toEqual([]);
  await renew(id, "one", 1, leaseMoment(platform));
  vi.useRealTimers();
  const { leaseUntil } = await row(id);
  const [{ leftMs } = { leftMs: 0 }] = await installation.platform.db.$queryRaw<{ leftMs: number }[]>`
    SELECT extract(epoch FROM ${leaseUntil}::timestamptz - statement_timestamp())::float8 * 1000 AS "leftMs"`;
  expect(leftMs).toBeGreaterThan(0);
  expect(leftMs).toBeLessThanOrEqual(leaseMs);
  await Promise.all([core.close(), platform.close()]);
});

test("heartbeats continue after a failure, and end when the lease is lost", async () => {
  const told: string[] = [];
  const outcomes = [null, new Error("away"), null, new LeaseLostError("gone")];
  await keepRenewed(
    {
      beatMs: 1,
      renew: async () => {
        const outcome = outcomes.shift() ?? null;
        if (outcome !== null) throw outcome;
        told.push("renewed");
      },
      onLost: () => told.push("lost"),
      onError: (error) => told.push(String(error)),
    },
    new AbortController().signal,
  );
  expect(told).toEqual(["renewed", "Error: away", "renewed", "lost"]);
  expect(outcomes).toEqual([]);
});

test("ending waits for a heartbeat in progress and ignores its failure", async () => {
  const over = new AbortController();
  const begun = Promise.withResolvers<void>();
  const settle = Promise.withResolvers<void>();
  const told: unknown[] = [];
  const beats = keepRenewed(
    {
      beatMs: 1,
      renew: () => {
        begun.resolve();
        return settle.promise;
      },
      onLost: () => told.push("lost"),
      onError: (error) => told.push(error),
    },
    over.signal,
  );
  await begun.promise;
  over.abort();
  settle.reject(new LeaseLostError("gone"));
  await beats;
  expect(told).toEqual([]);
});
