import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as accessKey from "./access-key.ts";
import * as alert from "./alert.ts";
import * as audit from "./audit.ts";
import * as benchmark from "./benchmark.ts";
import * as benchmarkResult from "./benchmark-result.ts";
import * as bucketQuestion from "./bucket-question.ts";
import * as channel from "./channel.ts";
import * as dashboard from "./dashboard.ts";
import * as endpoint from "./endpoint.ts";
import * as fleetDrive from "./fleet-drive.ts";
import * as fsyncProbe from "./fsync-probe.ts";
import * as lostObjectReport from "./lost-object-report.ts";
import * as node from "./node.ts";
import * as objectQuestion from "./object-question.ts";
import * as planScenario from "./plan-scenario.ts";
import * as schedule from "./schedule.ts";
import * as simulation from "./simulation.ts";
import * as user from "./user.ts";

const schema = readFileSync(join(import.meta.dirname, "../../../../prisma/schema.prisma"), "utf8");

/** JSON columns of the schema, as "table.column". */
function jsonColumns(): string[] {
  return [...schema.matchAll(/^model \w+ \{\n(.*?)^\}/gms)].flatMap(([, body = ""]) => {
    const table = /@@map\("(\w+)"\)/.exec(body)?.[1];
    return [...body.matchAll(/^ +(\w+) +Json\b(.*)$/gm)].map(
      ([, field, rest = ""]) => `${table}.${/@map\("(\w+)"\)/.exec(rest)?.[1] ?? field}`,
    );
  });
}

const modules = [
  accessKey,
  alert,
  audit,
  benchmark,
  benchmarkResult,
  bucketQuestion,
  channel,
  dashboard,
  endpoint,
  fleetDrive,
  fsyncProbe,
  lostObjectReport,
  node,
  objectQuestion,
  planScenario,
  schedule,
  simulation,
  user,
];

function codecPlaces(): unknown[] {
  const columns = modules
    .flatMap((module): object[] => Object.values(module))
    .flatMap((table): unknown[] => Object.values(table));
  return columns.flatMap((column) =>
    typeof column === "object" && column !== null && "place" in column ? [column.place] : [],
  );
}

test("every JSON column has a codec, and every codec has its column", () => {
  const columns = jsonColumns();
  expect(columns).toContain("alert_rule.query");
  expect(columns).toContain("endpoint.price_list");
  expect([...new Set(codecPlaces())].sort()).toEqual(columns.sort());
});
