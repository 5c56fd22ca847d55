/** Checks every statement of the metric store with Postgres' own parser, where no engine is available. */
import { parse } from "libpg-query";
import { expect, test } from "vitest";
import * as store from "./index.ts";
import { calls } from "./testing/calls.ts";
import { listProblems } from "./testing/distribution.ts";
import { statementsOfCalls } from "./testing/recorder.ts";

/** These functions have no statement of their own, or only statements about existing partitions. */
const WITHOUT_STATEMENTS = [
  ...[
    "arrangeSamples",
    "dayNumber",
    "emptyHistogramColumns",
    "individualLabels",
    "inTransaction",
    "maintainPartitions",
  ],
  ...["openMetricClient", "orderSamples", "unpackHistograms", "unpackSamples", "withStatementTimeout"],
];

test("every function of the store is called, or listed as having no statement", () => {
  const functions = Object.entries(store).flatMap(([name, value]) =>
    typeof value === "function" ? [name] : [],
  );
  const without = functions.filter((name) => !(name in calls) && !WITHOUT_STATEMENTS.includes(name));
  expect(without).toEqual([]);
});

test("each statement is standard Postgres SQL, and can be distributed by node", async () => {
  const statements = await statementsOfCalls();
  expect(statements.size).toBeGreaterThan(90);
  for (const [statement, name] of statements) {
    expect(listProblems(await parse(statement)), `${name}: ${statement}`).toEqual([]);
  }
});

test.each([
  ["SELECT r.n FROM metric.hist_raw AS r JOIN metric.series AS s ON s.id = r.series_id", "joins r and s"],
  ["SELECT r.n FROM metric.hist_raw AS r, metric.series AS s WHERE s.id = r.series_id", "joins r and s"],
  [
    "SELECT d.n FROM unnest($1::uuid[]) AS w (node_id) CROSS JOIN LATERAL (SELECT max(r.n) AS n FROM metric.hist_raw AS r WHERE r.node_id = w.node_id) AS d",
    "aggregates a lateral subquery without its node_id",
  ],
  [
    "SELECT d.n FROM unnest($1::uuid[]) AS w (node_id) CROSS JOIN LATERAL (SELECT r.n FROM metric.hist_raw AS r WHERE r.node_id = w.node_id LIMIT 1) AS d",
    "limits a lateral subquery",
  ],
  ["SELECT FROM metric.series", "selects no column"],
  ["SELECT id FROM metric.series FOR UPDATE", "locks rows of series"],
  [
    "INSERT INTO metric.series (node_id, id) SELECT $1::uuid, 1 ON CONFLICT (id) DO NOTHING",
    "conflict target of series",
  ],
  ["INSERT INTO metric.series (id) VALUES (1)", "inserts into series without node_id"],
  [
    "SELECT n.name FROM metric.node_state AS s JOIN public.node AS n ON n.id = s.node_id",
    "joins node, which is on one machine",
  ],
  [
    "SELECT 1 FROM unnest($1::uuid[]) AS w (id) LEFT JOIN metric.node_state AS s ON s.node_id = w.id",
    "keeps rows of what is no table",
  ],
  [
    "SELECT d.n FROM unnest($1::uuid[]) AS w (node_id) CROSS JOIN LATERAL (SELECT r.n FROM metric.hist_raw AS r WHERE r.node_id = w.node_id UNION ALL SELECT r.n FROM metric.hist_1m AS r WHERE r.node_id = w.node_id) AS d",
    "joins a union",
  ],
  [
    "SELECT r.n FROM unnest($1::uuid[]) AS w (node_id) JOIN metric.hist_raw AS r ON r.node_id = w.node_id AND r.ts > $2",
    "joins a range of hist_raw with unnest",
  ],
])("reports the problem in %s", async (statement, problem) => {
  expect(listProblems(await parse(statement)).join("; ")).toContain(problem);
});
