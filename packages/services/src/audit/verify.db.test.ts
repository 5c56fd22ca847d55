import type { Transaction } from "@stashlight/db";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { verifyAudit } from "../index.ts";
import { auditEvents, openTestInstallation, type Person, type TestInstallation } from "../testing/index.ts";
import { hashEvent } from "./chain.ts";
import { sealFinishedDays } from "./seal.ts";
import { checkAuditChain } from "./verify.ts";
import { writeAudit } from "./write.ts";

let installation: TestInstallation;
let admin: Person;

beforeAll(async () => {
  installation = await openTestInstallation();
  admin = await installation.person("admin");
});
afterAll(() => installation.close());
beforeEach(() => installation.asOwner((tx) => tx.$executeRaw`TRUNCATE audit_event, audit_seal`));

const write = (name = "somebody") =>
  installation.platform.db.$transaction((tx) =>
    writeAudit(tx, admin.ctx, {
      action: "user.invited",
      target: { kind: "invitation", id: "id", name },
      after: { b: 1, a: { d: [1, 0.1, 1e21, -5e-7], c: "Grüße \u{1f5c4}" } },
    }),
  );
async function writeOn(...instants: string[]): Promise<void> {
  for (const instant of instants) {
    installation.clock.set(new Date(instant));
    await write();
  }
}
const seal = () =>
  installation.platform.db.$transaction((tx) => sealFinishedDays(tx, installation.clock.now()));
const check = () => checkAuditChain(installation.platform);
const seals = async () =>
  (await installation.platform.db.auditSeal.findMany({ orderBy: { firstSequence: "asc" } })).map((row) => [
    row.day.toISOString().slice(0, 10),
    Number(row.firstSequence),
    Number(row.lastSequence),
    row.eventCount,
  ]);

test("an empty log is intact", async () => {
  expect(await check()).toMatchObject({
    state: "intact",
    eventsChecked: 0,
    sealedDays: 0,
    brokenAtSequence: null,
  });
});

test("what was written reads back as it was hashed", async () => {
  for (let count = 0; count < 3; count++) await write(`${"x".repeat(399)}\u{1f5c4}`);
  expect(await check()).toMatchObject({ state: "intact", eventsChecked: 3 });
});

test("twenty who write at once make one gapless chain", async () => {
  await Promise.all(Array.from({ length: 20 }, () => write()));
  const events = await auditEvents(installation.platform);
  expect(events.map(({ sequence }) => Number(sequence))).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
  expect(await check()).toMatchObject({ state: "intact", eventsChecked: 20 });
});

test("a long log is checked page by page", async () => {
  await write();
  const [first] = await auditEvents(installation.platform);
  if (first === undefined) throw new Error("nothing was written");
  const { before: _before, after: _after, ...rest } = first;
  let { hash } = first;
  const data = Array.from({ length: 1_100 }, (_, index) => {
    const { previousHash: _previous, hash: _hash, ...row } = { ...rest, sequence: index + 2 };
    const previousHash = hash;
    hash = hashEvent(previousHash, { ...row, before: null, after: null });
    return { ...row, previousHash, hash };
  });
  await installation.platform.db.auditEvent.createMany({ data });
  expect(await check()).toMatchObject({ state: "intact", eventsChecked: 1_101 });
});

describe("what somebody changes outside Stashlight is found", () => {
  const days = [
    "2026-11-01T10:00:00Z",
    "2026-11-01T11:00:00Z",
    "2026-11-02T10:00:00Z",
    "2026-11-03T09:00:00Z",
  ];

  const tamperings: [string, number, RegExp, (tx: Transaction) => Promise<unknown>][] = [
    [
      "an edited name",
      2,
      /Event 2 is not what was written/,
      (tx) => tx.$executeRaw`UPDATE audit_event SET actor_name = 'Mallory' WHERE sequence = 2`,
    ],
    [
      "edited details",
      1,
      /Event 1 is not/,
      (tx) => tx.$executeRaw`UPDATE audit_event SET after = after || '{"b": 2}' WHERE sequence = 1`,
    ],
    [
      "an edited time",
      4,
      /Event 4 is not/,
      (tx) =>
        tx.$executeRaw`UPDATE audit_event SET occurred_at = occurred_at + interval '1 ms' WHERE sequence = 4`,
    ],
    [
      "an edited hash",
      3,
      /Event 3 is not/,
      (tx) => tx.$executeRaw`UPDATE audit_event SET hash = repeat('a', 64) WHERE sequence = 3`,
    ],
    [
      "a deleted event",
      2,
      /Event 2 is missing/,
      (tx) => tx.$executeRaw`DELETE FROM audit_event WHERE sequence = 2`,
    ],
    [
      "a deleted first event",
      1,
      /Event 1 is missing/,
      (tx) => tx.$executeRaw`DELETE FROM audit_event WHERE sequence = 1`,
    ],
    [
      "a cut-off tail",
      3,
      /Event 3 and what follows was sealed and is missing/,
      (tx) => tx.$executeRaw`DELETE FROM audit_event WHERE sequence >= 3`,
    ],
    ["a log that was emptied", 1, /sealed and is missing/, (tx) => tx.$executeRaw`TRUNCATE audit_event`],
    [
      "a deleted event with the rest numbered anew",
      2,
      /Event 2 is not/,
      async (tx) => {
        await tx.$executeRaw`DELETE FROM audit_event WHERE sequence = 2`;
        await tx.$executeRaw`UPDATE audit_event SET sequence = 2 WHERE sequence = 3`;
        await tx.$executeRaw`UPDATE audit_event SET sequence = 3 WHERE sequence = 4`;
      },
    ],
    [
      "a seal with another hash of its day",
      2,
      /Event 2 does not agree with its day's seal/,
      (tx) => tx.$executeRaw`UPDATE audit_seal SET last_hash = repeat('a', 64) WHERE last_sequence = 2`,
    ],
    [
      "a seal with another day",
      3,
      /seal of 2026-11-05 is not what was written/,
      (tx) => tx.$executeRaw`UPDATE audit_seal SET day = '2026-11-05' WHERE first_sequence = 3`,
    ],
    [
      "a seal with another count",
      1,
      /seal of 2026-11-01 is not/,
      (tx) => tx.$executeRaw`UPDATE audit_seal SET event_count = 1 WHERE first_sequence = 1`,
    ],
    [
      "a seal taken out",
      1,
      /seal of 2026-11-02 is not/,
      (tx) => tx.$executeRaw`DELETE FROM audit_seal WHERE first_sequence = 1`,
    ],
  ];

  test.each(tamperings)("%s", async (_, sequence, sentence, tamper) => {
    await writeOn(...days);
    expect(await seal()).toBe(2);
    expect(await check()).toMatchObject({ state: "intact", eventsChecked: 4, sealedDays: 2 });
    await installation.asOwner(tamper);
    const found = await check();
    expect(found).toMatchObject({ state: "broken", brokenAtSequence: sequence });
    expect(found.sentence).toMatch(sentence);
  });
});

describe("sealing", () => {
  test("each finished day once, today not yet, days without events not at all", async () => {
    await writeOn("2026-11-01T00:00:00Z", "2026-11-01T23:59:59.999Z", "2026-11-02T00:00:00Z");
    expect(await seal()).toBe(1);
    expect(await seal()).toBe(0);
    await writeOn("2026-11-07T12:00:00Z");
    expect(await seal()).toBe(1);
    installation.clock.set(new Date("2026-11-08T00:00:00Z"));
    expect(await seal()).toBe(1);
    expect(await seals()).toEqual([
      ["2026-11-01", 1, 2, 2],
      ["2026-11-02", 3, 3, 1],
      ["2026-11-07", 4, 4, 1],
    ]);
    expect(await check()).toMatchObject({ state: "intact", sealedDays: 3 });
  });

  test.each([
    ["into a day that is sealed", ["2026-11-01T10:00Z", "2026-11-02T10:00Z"], ["2026-11-01T09:00Z"]],
    ["within two days", [], ["2026-11-02T10:00Z", "2026-11-01T10:00Z", "2026-11-02T11:00Z"]],
    ["from today into yesterday", [], ["2026-11-03T23:00Z", "2026-11-02T23:00Z"]],
    ["from a far future", [], ["2031-01-01T00:00Z", "2026-11-02T23:00Z", "2026-11-03T01:00Z"]],
  ])(
    "a clock that was set back %s neither leaves an event out nor breaks the chain",
    async (_, first, then) => {
      await writeOn(...first);
      await seal();
      await writeOn(...then);
      installation.clock.set(new Date("2026-11-03T23:30Z"));
      await seal();
      expect(await check()).toMatchObject({ state: "intact" });
      await writeOn("2026-11-04T01:00Z");
      await seal();
      installation.clock.set(new Date("2026-11-05T00:00Z"));
      await seal();
      expect((await seals()).at(-1)?.[2]).toBe(first.length + then.length + 1);
      expect(await check()).toMatchObject({ state: "intact" });
    },
  );
});

test("an admin's check is an event of its own and tells its result", async () => {
  await write();
  expect(await verifyAudit({ ctx: admin.ctx })).toMatchObject({ state: "intact", eventsChecked: 1 });
  expect((await auditEvents(installation.platform)).at(-1)).toMatchObject({
    action: "audit.verified",
    after: { state: "intact", eventsChecked: 1 },
  });
});
