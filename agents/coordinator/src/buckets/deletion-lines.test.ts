import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { deletionsPerReportMax } from "@stashlight/contracts/bucket";
import { useTestFolder } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { openAuditLog } from "../lost/audit-log.ts";
import { DeletionLines } from "./deletion-lines.ts";

const folder = useTestFolder();

const at = "2026-11-29T12:00:00.000Z";
const facts = { bucket: "photos", ruleId: "logs", count: 2, bytes: 9 };
const append = (line: object) => openAuditLog(folder).append(line);
const expire = (ruleId = "logs") => append({ time: at, action: "lifecycle.expire", ...facts, ruleId });

async function take(lines: DeletionLines): Promise<readonly string[]> {
  const page = await lines.read();
  lines.taken(page);
  return page.deletions.map(({ ruleId }) => ruleId);
}

test("a missing log has no deletions, and later lines are found", async () => {
  const lines = new DeletionLines(folder);
  expect((await lines.read()).deletions).toEqual([]);
  await expire();
  await append({ time: at, action: "lifecycle.abort", ...facts });
  expect((await lines.read()).deletions).toEqual([
    { at, action: "expire", ...facts },
    { at, action: "abort", ...facts },
  ]);
});

test("lines are read again until they are acknowledged, and once more after a restart", async () => {
  await expire("first");
  const lines = new DeletionLines(folder);
  await lines.read();
  expect(await take(lines)).toEqual(["first"]);
  expect(await take(lines)).toEqual([]);
  await expire("second");
  expect(await take(lines)).toEqual(["second"]);
  expect(await take(new DeletionLines(folder))).toEqual(["first", "second"]);
});

test("lines about operators, malformed lines and a line being written are left out", async () => {
  await append({ time: at, action: "lifecycle.save", bucket: "photos" });
  await append({ time: at, action: "lifecycle.expire", ...facts, count: -1 });
  const path = join(folder, "audit.log");
  appendFileSync(path, "not JSON\n");
  appendFileSync(path, `{"long": "${"x".repeat(200_000)}"}\n`);
  await expire("whole");
  const line = JSON.stringify({ time: at, action: "lifecycle.expire", ...facts, ruleId: "late" });
  appendFileSync(path, line.slice(0, 20));
  const lines = new DeletionLines(folder);
  const found: string[] = [];
  for (let round = 0; round < 5; round += 1) found.push(...(await take(lines)));
  expect(found).toEqual(["whole"]);
  appendFileSync(path, `${line.slice(20)}\n`);
  expect(await take(lines)).toEqual(["late"]);
});

test("more lines than fit into a report are split over several", async () => {
  const line = `${JSON.stringify({ time: at, action: "lifecycle.expire", ...facts })}\n`;
  appendFileSync(join(folder, "audit.log"), line.repeat(deletionsPerReportMax + 1));
  const lines = new DeletionLines(folder);
  const counts = [(await take(lines)).length, (await take(lines)).length, (await take(lines)).length];
  expect(counts).toEqual([deletionsPerReportMax, 1, 0]);
});
