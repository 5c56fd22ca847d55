import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Transaction } from "@stashlight/db";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Platform } from "../platform.ts";
import { auditEvents, useSharedInstallation } from "../testing/index.ts";
import { genesisHash, hashEvent, hashSeal } from "./chain.ts";
import { toAuditRow } from "./query.ts";
import { sealFinishedDays } from "./seal.ts";
import { sealLinesMax, writeSeal } from "./seal-file.ts";
import { checkAuditChain, verifyAudit } from "./verify.ts";
import { readHead } from "./witness.ts";
import { writeAudit } from "./write.ts";

const { installation, admin } = useSharedInstallation("admin");
beforeEach(async () => {
  await installation.asOwner((tx) => tx.$executeRaw`TRUNCATE audit_event, audit_seal`);
  await asAuditor(
    (
      tx,
    ) => tx.$executeRaw`UPDATE audit_guard.head SET log_id = gen_random_uuid(), sequence = 0, seal_count = 0,
      event_hash = ${genesisHash}, seal_hash = ${genesisHash}`,
  );
});

/** Acts as a determined attacker, who assumes the role that keeps the head. */
const asAuditor = (action: (tx: Transaction) => Promise<unknown>) =>
  installation.asOwner(async (tx) => {
    await tx.$executeRaw`SET LOCAL ROLE stashlight_auditor`;
    await action(tx);
  });

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

test("an event reads back as it was hashed", async () => {
  for (let count = 0; count < 3; count++) await write(`${"x".repeat(399)}\u{1f5c4}`);
  expect(await check()).toMatchObject({ state: "intact", eventsChecked: 3 });
});

test("twenty concurrent writers form one gapless chain", async () => {
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

describe("a change outside Stashlight is detected:", () => {
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
      /seal of 2026-11-05 is not the one that was written/,
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

/** Recomputes all hashes from `from` on, so that the log is self-consistent again. */
async function recompute(tx: Transaction, from: number): Promise<void> {
  const events = await tx.auditEvent.findMany({ orderBy: { sequence: "asc" } });
  let previousHash = events[from - 2]?.hash ?? genesisHash;
  for (const event of events.slice(from - 1)) {
    const { hash: _, ...row } = toAuditRow(event);
    const hash = hashEvent(previousHash, row);
    await tx.$executeRaw`UPDATE audit_event SET previous_hash = ${previousHash}, hash = ${hash}
      WHERE sequence = ${event.sequence}`;
    previousHash = hash;
  }
}

const cutTail = (tx: Transaction) =>
  tx.$executeRaw`DELETE FROM audit_event WHERE sequence > (SELECT max(sequence) - 5 FROM audit_event)`;

describe("with the head of the log kept outside it,", () => {
  test("the newest five events cannot be deleted unnoticed", async () => {
    for (let count = 0; count < 8; count++) await write();
    expect(await check()).toMatchObject({ state: "intact", eventsChecked: 8 });
    await installation.asOwner(cutTail);
    expect(await check()).toMatchObject({
      state: "broken",
      brokenAtSequence: 4,
      sentence: expect.stringMatching(
        /^Events 4 to 8 are missing: the head .* names 8 events; the log was changed/,
      ),
    });
  });

  test("later events do not hide a gap, however many there are", async () => {
    for (let count = 0; count < 6; count++) await write();
    await installation.asOwner(cutTail);
    await write("first of the new ones");
    expect(await check()).toMatchObject({ state: "broken", brokenAtSequence: 3 });
    for (let count = 0; count < 9; count++) await write("more");
    expect(await check()).toMatchObject({
      state: "broken",
      brokenAtSequence: 6,
      sentence: expect.stringMatching(
        /^Event 6 does not agree with the head that the database keeps separately;/,
      ),
    });
  });

  test("an event cannot be edited unnoticed even if all hashes after it are recomputed", async () => {
    for (let count = 0; count < 4; count++) await write();
    await installation.asOwner(async (tx) => {
      await tx.$executeRaw`UPDATE audit_event SET actor_name = 'Mallory' WHERE sequence = 2`;
      await recompute(tx, 2);
    });
    expect(await check()).toMatchObject({ state: "broken", brokenAtSequence: 4 });
  });

  test("tables rolled back to an earlier copy are detected", async () => {
    await writeOn("2026-11-01T10:00:00Z", "2026-11-02T10:00:00Z");
    await seal();
    await installation.asOwner((tx) => tx.$executeRaw`CREATE TABLE copied AS SELECT * FROM audit_event`);
    await writeOn("2026-11-03T10:00:00Z");
    await seal();
    await installation.asOwner(async (tx) => {
      await tx.$executeRaw`DELETE FROM audit_event WHERE sequence NOT IN (SELECT sequence FROM copied)`;
      await tx.$executeRaw`DELETE FROM audit_seal WHERE last_sequence > 1`;
      await tx.$executeRaw`DROP TABLE copied`;
    });
    expect(await check()).toMatchObject({
      state: "broken",
      brokenAtSequence: 3,
      sentence: expect.stringContaining("Event 3 is missing"),
    });
  });

  test("a seal that was forged with its own chain, or removed, is detected", async () => {
    await writeOn("2026-11-01T10:00:00Z", "2026-11-01T11:00:00Z", "2026-11-02T10:00:00Z");
    await seal();
    const [stored] = await installation.platform.db.auditSeal.findMany();
    const forged = { day: "2026-10-31", firstSequence: 1, lastSequence: 2, eventCount: 2 };
    const hash = hashSeal(genesisHash, { ...forged, lastHash: stored?.lastHash ?? "" });
    await installation.asOwner(
      (tx) => tx.$executeRaw`UPDATE audit_seal SET day = '2026-10-31', hash = ${hash}`,
    );
    expect(await check()).toMatchObject({
      state: "broken",
      brokenAtSequence: 1,
      sentence: expect.stringContaining("The seal of 2026-10-31 does not agree with the head"),
    });
    await installation.asOwner((tx) => tx.$executeRaw`TRUNCATE audit_seal`);
    expect(await check()).toMatchObject({
      state: "broken",
      sentence: expect.stringContaining("1 seals are missing"),
    });
  });

  test("events written with the trigger disabled are detected", async () => {
    await write();
    await installation.asOwner((tx) => tx.$executeRaw`ALTER TABLE audit_event DISABLE TRIGGER follow_event`);
    try {
      await write();
    } finally {
      await installation.asOwner((tx) => tx.$executeRaw`ALTER TABLE audit_event ENABLE TRIGGER follow_event`);
    }
    expect(await check()).toMatchObject({
      state: "broken",
      brokenAtSequence: 2,
      sentence: expect.stringContaining("trigger was disabled"),
    });
  });

  test("neither the product nor the owner of the log can move the head back", async () => {
    for (let count = 0; count < 3; count++) await write();
    const back = (tx: Transaction) => tx.$executeRaw`UPDATE audit_guard.head SET sequence = 1`;
    await expect(installation.platform.db.$transaction(back)).rejects.toThrow(/permission denied/);
    await expect(installation.asOwner(back)).rejects.toThrow(/permission denied/);
    await expect(
      installation.asOwner((tx) => tx.$executeRaw`DROP SCHEMA audit_guard CASCADE`),
    ).rejects.toThrow(/must be owner/);
    expect(await check()).toMatchObject({ state: "intact" });
  });
});

describe("the seal file in the data folder", () => {
  let folder: string;
  let sealed: Platform;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "stashlight-seals-"));
    sealed = installation.anotherPlatform({ dataDirectory: folder });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const path = () => join(folder, "audit-seals.jsonl");
  const lines = () => readFileSync(path(), "utf8").trimEnd().split("\n");
  async function sealToFile(): Promise<boolean> {
    const head = await readHead(installation.platform.db);
    return head !== null && writeSeal(sealed, head, installation.clock.now());
  }
  async function forgeHead(): Promise<void> {
    const last = (await auditEvents(installation.platform)).at(-1);
    await asAuditor(
      (tx) =>
        tx.$executeRaw`UPDATE audit_guard.head SET sequence = ${last?.sequence}, event_hash = ${last?.hash}`,
    );
  }

  test("is appended once for each new head, readable by its owner only, and counted by the verification", async () => {
    await write();
    expect([await sealToFile(), await sealToFile()]).toEqual([true, false]);
    await write();
    expect(await sealToFile()).toBe(true);
    expect(lines()).toHaveLength(2);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(await checkAuditChain(sealed)).toMatchObject({ state: "intact", fileSealCount: 2 });
    expect(await check()).toMatchObject({ state: "intact", fileSealCount: null });
  });

  test("reveals a database head that was forged together with a truncated log", async () => {
    for (let count = 0; count < 8; count++) await write();
    await sealToFile();
    await installation.asOwner(cutTail);
    await forgeHead();
    expect(await check()).toMatchObject({ state: "intact" });
    expect(await checkAuditChain(sealed)).toMatchObject({
      state: "broken",
      brokenAtSequence: 4,
      sentence: expect.stringMatching(
        /^Events 4 to 8 are missing: line 1 of the seal file, of .* older backup\.$/,
      ),
    });
  });

  test("reveals a recomputed log with a forged head", async () => {
    for (let count = 0; count < 3; count++) await write();
    await sealToFile();
    await installation.asOwner(async (tx) => {
      await tx.$executeRaw`UPDATE audit_event SET actor_name = 'Mallory' WHERE sequence = 1`;
      await recompute(tx, 1);
    });
    await forgeHead();
    expect(await checkAuditChain(sealed)).toMatchObject({ state: "broken", brokenAtSequence: 3 });
  });

  test.each<[string, (line: string) => string]>([
    ["a different number of events", (line) => line.replace(/"sequence":\d+/, '"sequence":1')],
    ["a different hash", (line) => line.replace(/"eventHash":"\w+"/, `"eventHash":"${"a".repeat(64)}"`)],
    ["a different log", (line) => line.replace(/(?<="logId":")\w/, (digit) => (digit === "0" ? "1" : "0"))],
    ["a line cut in two", (line) => line.slice(0, 40)],
    ["an additional field", (line) => line.replace("{", '{"more":1,')],
    ["a foreign line", () => "hello"],
  ])("with %s is reported as forged, with the line number", async (_, forge) => {
    await write();
    await sealToFile();
    await write();
    await sealToFile();
    const [first = "", second = ""] = lines();
    writeFileSync(path(), `${first}\n${forge(second)}\n`);
    expect(await checkAuditChain(sealed)).toMatchObject({
      state: "broken",
      brokenAtSequence: null,
      sentence: expect.stringMatching(/^Line 2 of the seal file .* was not written by Stashlight/),
    });
  });

  test("ignores lines of another database's log and of an earlier secret", async () => {
    await write();
    await sealToFile();
    await asAuditor((tx) => tx.$executeRaw`UPDATE audit_guard.head SET log_id = gen_random_uuid()`);
    expect(await checkAuditChain(sealed)).toMatchObject({ state: "intact", fileSealCount: 0 });
    const later = { dataDirectory: folder, secret: "another secret of the tests, long enough as well" };
    expect(await checkAuditChain(installation.anotherPlatform(later))).toMatchObject({
      state: "intact",
      fileSealCount: 0,
    });
  });

  test("keeps its newest lines when it is full", async () => {
    await write();
    await sealToFile();
    writeFileSync(path(), `${`${lines()[0]}\n`.repeat(sealLinesMax)}`);
    await write();
    await sealToFile();
    expect(lines()).toHaveLength(sealLinesMax);
    expect(lines().at(-1)).toContain('"sequence":2');
  });
});

describe("sealing", () => {
  test("covers each finished day once, but neither today nor days without events", async () => {
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

test("an admin's verification is itself recorded, with its result", async () => {
  await write();
  expect(await verifyAudit({ ctx: admin.ctx })).toMatchObject({ state: "intact", eventsChecked: 1 });
  expect((await auditEvents(installation.platform)).at(-1)).toMatchObject({
    action: "audit.verified",
    after: { state: "intact", eventsChecked: 1 },
  });
});
