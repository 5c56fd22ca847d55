/** Records the statements of the calls without a database: each gets an answer that lets it continue. */
import type { MetricConnection } from "../client.ts";
import { metricViews } from "../views.ts";
import { calls } from "./calls.ts";

const anyId = "00000000-0000-4000-8000-000000000001";

/**
 * A row with enough columns for every caller: a fleet and an unrelated node are found, so that their dependents are
 * created.
 */
const anyRow = {
  id: anyId,
  nodeId: anyId,
  node_id: anyId,
  fleetId: anyId,
  parentId: null,
  vault: "",
  isSimulated: false,
  count: 1,
  place: "1",
  ends: new Date(0),
  max: 1,
  total: "1",
  span_ms: 1,
  n: "1",
  p50: 1,
  p99: 1,
  packed: "",
  ts: new Date(0),
  newest: new Date(0),
  start: new Date(0),
  end: new Date(0),
  names: [],
  labels: [],
  ids: [],
  boot_id: "1",
  sequence: "1",
};

/** Statements by text, with the name of the first call that issues each. */
export async function statementsOfCalls(): Promise<ReadonlyMap<string, string>> {
  const statements = new Map<string, string>();
  for (const [name, call] of Object.entries(calls)) {
    const query = async (statement: unknown) => {
      if (typeof statement === "string") {
        if (!statements.has(statement)) statements.set(statement, name);
        // Returns no members, so that fleets are created.
        const isUnknown = statement.includes("FROM metric.fleet_member WHERE node_id = ANY");
        return { rows: isUnknown ? [] : [anyRow], rowCount: 1 };
      }
      // Lets a COPY continue, for which a server would request rows.
      (statement as { handleReadyForQuery(): void }).handleReadyForQuery();
      return undefined;
    };
    await call({ query } as unknown as MetricConnection);
  }
  // The views are also statements, but a migration creates them.
  for (const view of metricViews) statements.delete(`SELECT node, ts FROM bi."${view}" LIMIT 1`);
  return statements;
}
