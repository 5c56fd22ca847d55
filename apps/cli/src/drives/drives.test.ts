import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { importDriveStatsInput } from "@stashlight/contracts/failure-rate";
import { useTestFolder } from "@stashlight/contracts/testing";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { parseCommand } from "../arguments.ts";
import type { DrivesCommand } from "./arguments.ts";
import { runDrives } from "./run.ts";
import { DriveStatsTotals } from "./totals.ts";

const folder = useTestFolder();

const header = "date,serial_number,model,capacity_bytes,failure,smart_5_raw,smart_9_raw";
const row = (day: string, serial: string, model: string, failure = 0): string =>
  `${day},${serial},${model},16000900661248,${failure},0,30000`;

function write(name: string, lines: readonly string[]): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${lines.join("\n")}\n`);
}

async function run(line: string, environment: Record<string, string> = {}) {
  const said: string[] = [];
  const command = parseCommand(line.split(" "), { projectDirectory: "/project", currentDirectory: folder });
  const screen = { say: (text: string) => void said.push(text), draw: () => {} };
  const exitCode = await runDrives(command as DrivesCommand, { screen, environment });
  return { said, exitCode };
}

test("sums the days of a quarter by model, with the exact interval of its failures", async () => {
  write("2026-01-01.csv", [
    header,
    row("2026-01-01", "A", "ST16000NM001G"),
    row("2026-01-01", "B", "ST16000NM001G", 1),
  ]);
  write("2026-01-02.csv", [
    // Another order of columns, another set of SMART attributes and a byte order mark.
    "\ufeffmodel,failure,date,smart_187_raw,serial_number",
    "ST16000NM001G,0,2026-01-02,,A",
    '"TOSHIBA, MG08",0,2026-01-02,7,C',
  ]);
  const { said } = await run("drives import .");
  // Garwood's interval of one failure is 0.02532 to 5.572; here in three drive days.
  expect(said[1]).toMatch(/ 12,167 % \(308 to 67,788\)$/);
  expect(said[2]).toMatch(/^TOSHIBA, MG08 +1 +0 /);
  expect(said.at(-1)).toMatch(/^Nothing was stored\./);
});

test("leaves out rows that repeat a drive of the day and drives of unknown model, and counts them", async () => {
  write("2026-01-01.csv", [
    header,
    row("2026-01-01", "A", "M"),
    row("2026-01-01", "A", "M", 1),
    row("2026-01-01", "A", "M", 1),
    row("2026-01-01", "B", ""),
  ]);
  const { said } = await run("drives import . --json");
  const [quarter] = JSON.parse(said[0] ?? "").quarters;
  expect(quarter.models).toEqual([{ model: "M", driveDays: 1, failures: 1 }]);
  const { said: spoken } = await run("drives import .");
  expect(spoken).toContain("Left out 2 rows that repeat a serial number of the same day.");
  expect(spoken).toContain("Left out 1 row of drives whose model is unknown.");
});

test("names days whose files may be truncated", async () => {
  for (const day of ["2026-01-01", "2026-01-02", "2026-01-03"]) {
    const count = day === "2026-01-03" ? 4 : 10;
    write(`${day}.csv`, [header, ...Array.from({ length: count }, (_, at) => row(day, `S${at}`, "M"))]);
  }
  expect((await run("drives import .")).said).toContain(
    "Days with less than half of the usual 10 drives: 2026-01-03 (4). Their files may be truncated.",
  );
});

const day = "2026-01-01";
const badFiles: readonly [string, readonly string[], string][] = [
  ["missing columns", ["date,model", "2026-01-01,M"], "a.csv lacks the columns serial_number, failure;"],
  [
    "a truncated row",
    [header, row(day, "A", "M"), "2026-01-01,B,M"],
    "a.csv, line 3: the row has a different number of columns from the first line; the file is truncated or damaged.",
  ],
  ["an invalid date", [header, row("2026-02-30", "A", "M")], 'the date "2026-02-30" is not a day'],
  ["a failure other than 0 or 1", [header, row(day, "A", "M", 2)], 'failure is "2"; it must be 0 or 1.'],
  ["a row without a serial number", [header, row(day, "", "M")], "line 2: the row has no serial number."],
  ["an open quote", [header, `"${row(day, "A", "M")}`], "a.csv"],
  ["only a header line", [header], "a.csv has no rows."],
  [
    "a day in two places",
    [header, row(day, "A", "M"), row("2026-01-02", "A", "M"), row(day, "A", "M")],
    "rows of 2026-01-01 appear again after rows of other days, and would be counted twice.",
  ],
];

test.each(badFiles)("refuses a file with %s", async (_, lines, sentence) => {
  write("a.csv", lines);
  await expect(run("drives import a.csv")).rejects.toThrow(sentence);
});

test.each([
  ["data.zip", "data.zip is compressed. Unpack it first: unzip"],
  ["2026-01-01.csv.gz", "2026-01-01.csv.gz is compressed. Unpack it first: gunzip"],
])("explains how to unpack %s, given by itself or in a folder", async (name, sentence) => {
  write(`packed/${name}`, ["x"]);
  await expect(run(`drives import packed/${name}`)).rejects.toThrow(sentence);
  await expect(run("drives import packed")).rejects.toThrow(sentence);
});

test("refuses a missing path and a folder without files", async () => {
  await expect(run("drives import gone")).rejects.toThrow("gone cannot be read");
  await expect(run("drives import .")).rejects.toThrow("has no CSV file.");
});

/** A console that answers every request alike, and what it was asked. */
async function startConsole(status: number, answer: unknown) {
  const asked: { method: string; url: string; authorization: string; body: unknown }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const { method = "", url = "", headers } = request;
      asked.push({
        method,
        url,
        authorization: headers.authorization ?? "",
        body: text === "" ? null : JSON.parse(text),
      });
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { asked, environment: { STASHLIGHT_URL: `http://127.0.0.1:${port}/`, STASHLIGHT_TOKEN: "sla_x" } };
}

test("sends the counts of each quarter to the console, in its format", async () => {
  const { asked, environment } = await startConsole(201, {});
  write("q/2025-12-31.csv", [header, row("2025-12-31", "A", "M")]);
  write("q/2026-01-01.csv", [header, row(day, "A", "M")]);
  write("q/._2026-01-01.csv", ["hidden"]);
  const { said } = await run("drives import q", environment);
  expect(said.at(-1)).toBe("Stored 2025-Q4 (1 day), 2026-Q1 (1 day).");
  expect(asked).toMatchObject([
    { method: "POST", url: "/api/v1/drive-stats", authorization: "Bearer sla_x" },
  ]);
  expect(importDriveStatsInput.parse(asked[0]?.body)).toEqual({
    source: "q",
    quarters: [
      {
        quarter: "2025-Q4",
        from: "2025-12-31",
        to: "2025-12-31",
        dayCount: 1,
        models: [{ model: "M", driveDays: 1, failures: 0 }],
      },
      {
        quarter: "2026-Q1",
        from: day,
        to: day,
        dayCount: 1,
        models: [{ model: "M", driveDays: 1, failures: 0 }],
      },
    ],
  });
});

test("lists drives, and marks those that are slower than their peers, SSDs included", async () => {
  const drive = { model: "M", state: "in-use", daysSeen: 3, lastSeenOn: day, isGone: false };
  const drives = [
    { ...drive, serial: "A", node: "pods", device: "p1" },
    { ...drive, serial: "B", node: "pods", device: "p2" },
  ];
  const slow = { vault: "local", since: "2026-01-01T00:00:00Z" };
  const slowDrives = [
    { ...slow, node: "pods", drive: "p2", sentence: "p2 is 3 times as slow as its peers." },
    { ...slow, node: "stash", drive: "s7", sentence: "s7 is 2 times as slow as its peers." },
  ];
  const { environment } = await startConsole(200, { drives, models: [], slowDrives });
  const { said } = await run("drives list", environment);
  expect(said[1]).toMatch(/^A .* in-use +3 /);
  expect(said[2]).toMatch(/^B .* in-use, slow +3 /);
  expect(said.slice(3)).toEqual([
    "",
    "! local, pods: p2 is 3 times as slow as its peers.",
    "! local, stash: s7 is 2 times as slow as its peers.",
  ]);
  const earlier = await startConsole(200, { drives, models: [] });
  expect((await run("drives list", earlier.environment)).said).toHaveLength(3);
});

test("marks a drive by its serial number, and prints the console's sentence when it refuses", async () => {
  const { asked, environment } = await startConsole(201, {});
  const { said } = await run("drives mark ZL2 failed", environment);
  expect(said).toEqual(["ZL2 is marked as failed, which counts as a failure of its model."]);
  expect(asked[0]).toMatchObject({ url: "/api/v1/drives/marks", body: { drive: "ZL2", state: "failed" } });
  const refusing = await startConsole(404, { message: "No drive has it." });
  await expect(run("drives mark ZL2 retired", refusing.environment)).rejects.toThrow("No drive has it.");
});

test("a command without the console's address is refused, and a console that does not answer is reported", async () => {
  await expect(run("drives list")).rejects.toThrow("Set STASHLIGHT_URL to the console's address");
  await expect(run("drives list", { STASHLIGHT_TOKEN: "x" })).rejects.toThrow("STASHLIGHT_URL is missing");
  const nowhere = { STASHLIGHT_URL: "http://127.0.0.1:1", STASHLIGHT_TOKEN: "x" };
  await expect(run("drives list", nowhere)).rejects.toThrow(
    "The console at http://127.0.0.1:1 does not answer",
  );
});

test.each([
  ["drives", "Choose a command: drives import, drives list or drives mark."],
  ["drives import", "Give the files or the folder of a quarter"],
  ["drives mark ZL2 broken", "drives mark takes a serial number and in-use, failed or retired"],
  ["drives mark", "drives mark takes a serial number"],
  ["drives list x", "drives list takes only"],
])("refuses %s: %s", async (line, sentence) => {
  await expect(run(line)).rejects.toThrow(sentence);
});

test("totals equal those of a simple count, for any repeated rows", () => {
  const drive = fc.record({
    serial: fc.constantFrom("A", "B", "C", "D"),
    model: fc.constantFrom("M", "N"),
    hasFailed: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(fc.array(drive, { minLength: 1, maxLength: 12 }), { maxLength: 5 }), (days) => {
      const totals = new DriveStatsTotals();
      const seen = new Map<string, boolean>();
      for (const [at, drives] of days.entries()) {
        const day = `2026-02-${String(at + 1).padStart(2, "0")}`;
        for (const each of drives) {
          totals.add({ ...each, day }, () => "here");
          const key = `${day} ${each.model} ${each.serial}`;
          seen.set(key, (seen.get(key) ?? false) || each.hasFailed);
        }
      }
      const models = totals.listQuarters().flatMap((quarter) => quarter.models);
      const sum = (of: "driveDays" | "failures"): number => models.reduce((all, each) => all + each[of], 0);
      expect(sum("driveDays")).toBe(seen.size);
      expect(sum("failures")).toBe([...seen.values()].filter(Boolean).length);
    }),
    { seed: 39, numRuns: 200 },
  );
});
