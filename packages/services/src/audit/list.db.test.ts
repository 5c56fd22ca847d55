import { DAY_MS } from "@stashlight/contracts/time";
import { beforeAll, expect, test } from "vitest";
import { type Person, useSharedInstallation } from "../testing/index.ts";
import { exportAudit } from "./export.ts";
import { listAudit } from "./list.ts";
import { writeAudit } from "./write.ts";

const startMs = Date.UTC(2026, 10, 1);
const { installation } = useSharedInstallation();
let people: Person[];

beforeAll(async () => {
  people = [await installation.person("admin", "Ada"), await installation.person("admin", "Grace")];
  for (let index = 0; index < 10; index++) {
    installation.clock.set(new Date(startMs + index * DAY_MS));
    const { ctx } = people[index % 2] ?? { ctx: installation.nobody };
    await installation.platform.db.$transaction((tx) =>
      writeAudit(tx, ctx, {
        action: index < 5 ? "user.invited" : "user.disabled",
        target: { kind: "user", id: `u${index}`, name: `=cmd|"${index}"\n@example.org` },
        after: { index },
      }),
    );
  }
});

const admin = () => people[0]?.ctx ?? installation.nobody;
const all = { fromMs: startMs, toMs: startMs + 10 * DAY_MS };
const list = async (filter: object, pageSize = 100) => {
  const { rows, nextBeforeSequence } = await listAudit({
    ctx: admin(),
    input: { ...all, pageSize, ...filter },
  });
  return { sequences: rows.map(({ sequence }) => sequence), nextBeforeSequence };
};

test.each([
  ["everything", () => ({}), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]],
  ["a range, without its end", () => ({ fromMs: startMs + DAY_MS, toMs: startMs + 3 * DAY_MS }), [3, 2]],
  ["an action", () => ({ action: "user.disabled" }), [10, 9, 8, 7, 6]],
  ["a person", () => ({ actorId: people[1]?.userId }), [10, 8, 6, 4, 2]],
  ["words in a name, in any case", () => ({ text: "ADA" }), [9, 7, 5, 3, 1]],
  ["words in a target", () => ({ text: '"7"' }), [8]],
  ["an address", () => ({ text: "192.0.2.1", toMs: startMs + DAY_MS }), [1]],
  ["a wildcard of SQL, taken literally", () => ({ text: "%" }), []],
  ["all of them together", () => ({ text: "grace", action: "user.invited" }), [4, 2]],
])("the log can be filtered by %s", async (_, filter, sequences) => {
  expect((await list(filter())).sequences).toEqual(sequences);
});

test("pages follow each other without gaps or repetitions", async () => {
  const pages = [];
  let beforeSequence: number | null = null;
  do {
    const page: Awaited<ReturnType<typeof list>> = await list(
      beforeSequence === null ? {} : { beforeSequence },
      4,
    );
    pages.push(page.sequences);
    beforeSequence = page.nextBeforeSequence;
  } while (beforeSequence !== null);
  expect(pages).toEqual([
    [10, 9, 8, 7],
    [6, 5, 4, 3],
    [2, 1],
  ]);
});

async function exported(format: "csv" | "json", filter: object = {}): Promise<string[]> {
  const { chunks } = await exportAudit({ ctx: admin(), input: { ...all, format, ...filter } });
  const pieces = [];
  for await (const piece of chunks) pieces.push(piece);
  return pieces;
}

test("the export as JSON is the log, oldest first, and is logged itself", async () => {
  const rows = JSON.parse((await exported("json", { action: "user.invited" })).join(""));
  expect(rows.map(({ sequence }: { sequence: number }) => sequence)).toEqual([1, 2, 3, 4, 5]);
  expect(rows[0]).toMatchObject({
    actorName: "Ada",
    after: { index: 0 },
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const [last] = (await listAudit({ ctx: admin(), input: { fromMs: 0, toMs: Date.now() * 2, pageSize: 1 } }))
    .rows;
  expect(last).toMatchObject({ action: "audit.exported", after: { format: "json", action: "user.invited" } });
});

test("an export without events is an empty list, or only the heading", async () => {
  expect(JSON.parse((await exported("json", { text: "no such thing" })).join(""))).toEqual([]);
  expect((await exported("csv", { text: "no such thing" })).join("").split("\r\n")).toHaveLength(2);
});

test("the export as CSV has a heading, one record per event, and no formulas", async () => {
  const text = (await exported("csv", { action: "user.disabled" })).join("");
  const [heading, first] = text.split("\r\n");
  expect(heading).toBe(
    "sequence,occurred_at,actor_id,actor_name,actor_role,ip_address,user_agent,action,action_text,target_kind,target_id,target_name,before,after,hash",
  );
  expect(first).toContain(`,"'=cmd|""5""\n@example.org",,"{""index"":5}",`);
  expect(text.match(/\r\n/g)).toHaveLength(6);
});

test("a long log is exported in several pieces", async () => {
  const last = await installation.platform.db.auditEvent.findFirstOrThrow({ orderBy: { sequence: "desc" } });
  const { before: _before, after: _after, ...rest } = last;
  await installation.platform.db.auditEvent.createMany({
    data: Array.from({ length: 1_050 }, (_, index) => ({
      ...rest,
      action: "user.enabled",
      sequence: last.sequence + BigInt(index + 1),
    })),
  });
  const pieces = await exported("csv", { toMs: Date.now() * 2 });
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.join("").match(/user\.enabled/g)).toHaveLength(1_050);
});
