/**
 * The simulated fleet: `main.ts NODES DAYS INGEST...` enrols this many nodes, writes their history for the days before,
 * and then posts like agents to the given ingests until it is stopped. It does not repeat the work of an earlier start.
 */
import { lineOutput, onSupervisorGone, reportFailed, reportReady } from "@stashlight/contracts/process";
import { openMetricClient } from "@stashlight/db/metrics";
import { fillHistory, planFleet, runFleet } from "@stashlight/fleet";
import { pino } from "pino";
import { fleetKeysPath, obtainKeys } from "./keys.ts";

const log = pino({ name: "simulated fleet" }, lineOutput());
const stop = new AbortController();
const print = (line: string): void => log.info(line);

onSupervisorGone(() => process.exit(0));
process.once("SIGTERM", () => process.exit(0));
process.once("SIGINT", () => process.exit(0));

try {
  const [nodeCount, dayCount, ...origins] = process.argv.slice(2);
  const [firstOrigin] = origins;
  if (firstOrigin === undefined) throw new Error("the address of an ingest is missing");
  const databaseUrl = variable("DATABASE_URL");
  reportReady();
  const planned = planFleet(Number(nodeCount));
  const keys = await obtainKeys({
    file: fleetKeysPath(variable("STASHLIGHT_DATA_DIR")),
    nodes: planned,
    databaseUrl,
    ingest: firstOrigin,
    say: print,
    signal: stop.signal,
    secret: variable("STASHLIGHT_SECRET"),
    publicUrl: variable("STASHLIGHT_PUBLIC_URL"),
  });
  const members = planned.flatMap((node) => {
    const access = keys[node.name];
    return access === undefined ? [] : [{ node, ...access }];
  });
  const client = openMetricClient({
    url: databaseUrl,
    purpose: "bench",
    applicationName: "stashlight-fleet",
    connectionsMax: 3,
  });
  const filled = await fillHistory({
    client,
    members,
    dayCount: Number(dayCount),
    nowMs: Date.now(),
    say: print,
  });
  await client.end();
  const fromMs = filled.endMs;
  print(`${members.length} simulated nodes are measuring.`);
  await runFleet({
    origins,
    agents: members.map(({ node, key }) => ({ node, key, fromMs })),
    onRefused: (node, reason) => log.warn({ node: node.name, reason }, "a batch was refused"),
    signal: stop.signal,
  });
} catch (error) {
  log.error({ err: error }, "the simulated fleet cannot continue");
  reportFailed(`The simulated fleet cannot continue: ${(error as Error).message}`);
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; npm start sets it for the simulated fleet.`);
  return value;
}
