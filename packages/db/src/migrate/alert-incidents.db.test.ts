/** Tests the incidents that the upgrade creates for alert events from before incidents existed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "../testing/databases.ts";
import { createTestDatabase, type TestDatabase } from "../testing/index.ts";
import { migrationsDirectory } from "./migrations.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const script = readFileSync(join(migrationsDirectory, "20261129040000_alert_incident/migration.sql"), "utf8");
const makeIncidents = script.slice(script.indexOf("-- Incidents of earlier events"));

/** Minute, group, its vault, and the kind of event. */
type Earlier = readonly [minute: number, group: string, vault: string, kind: "firing" | "resolved"];

test("events of overlapping groups become one incident, and events after its end another one", async () => {
  const events: readonly Earlier[] = [
    [0, "s1", "photos", "firing"],
    [0, "s2", "photos", "firing"],
    [1, "s9", "films", "firing"],
    [2, "s1", "photos", "resolved"],
    [3, "s3", "photos", "firing"],
    [4, "s2", "photos", "resolved"],
    [5, "s3", "photos", "resolved"],
    [9, "s1", "photos", "firing"],
    [10, "s1", "photos", "resolved"],
  ];
  const { rows } = await withClient(database.ownerUrl, async (client) => {
    for (const [minute, group, vault, kind] of events) {
      await client.query(
        `INSERT INTO alert_event (id, firing_event_id, rule_name, severity, kind, "group", labels, summary, occurred_at)
         VALUES (gen_random_uuid(), gen_random_uuid(), 'Slow', 'warning', $1, $2, $3, 'Slow.', $4)`,
        [kind, group, { vault, device: group }, new Date(minute * 60_000)],
      );
    }
    await client.query(makeIncidents);
    return client.query(`
      SELECT i.vault, i.groups, extract(epoch FROM i.opened_at)::int / 60 AS opened,
             extract(epoch FROM i.ended_at)::int / 60 AS ended, count(e.id)::int AS events
        FROM alert_incident AS i JOIN alert_event AS e ON e.incident_id = i.id
       GROUP BY i.id ORDER BY i.opened_at, i.vault`);
  });
  expect(rows).toEqual([
    { vault: "photos", groups: ["s1", "s2", "s3"], opened: 0, ended: 5, events: 6 },
    { vault: "films", groups: ["s9"], opened: 1, ended: null, events: 1 },
    { vault: "photos", groups: ["s1"], opened: 9, ended: 10, events: 2 },
  ]);
});
