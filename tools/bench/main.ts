/**
 * `pnpm bench [name ...] [--json FILE]`, `pnpm bench telemetry --nodes N --days D [--ingests M] [--backfill]`,
 * `pnpm bench vault [--against COMMIT] [--tls] [--encryption] [--scrub] [--profile]`, and
 * `pnpm bench scale [--vault|--pods]`: measures the product against its budgets and prints ratios, as a table and as
 * JSON. A ratio is a measurement divided by its reference, either from the same run or a stated budget.
 */
import { writeFileSync } from "node:fs";
import { cpus, platform, release, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { benchDisk } from "./disk.ts";
import { benchErasure } from "./erasure.ts";
import { benchFailSlow } from "./fail-slow.ts";
import { benchForecasts } from "./forecasts.ts";
import { benchLog } from "./log.ts";
import type { Measurement } from "./measurement.ts";
import type { BenchOptions } from "./options.ts";
import { benchPages } from "./pages.ts";
import { benchPlanner } from "./planner.ts";
import { benchQuarantine } from "./quarantine.ts";
import { benchResults } from "./results.ts";
import { benchScale } from "./scale.ts";
import { benchSim } from "./sim.ts";
import { benchSimulation } from "./simulation.ts";
import { benchStart } from "./start.ts";
import { benchStatistics } from "./statistics.ts";
import { benchStats } from "./stats.ts";
import { benchTelemetry } from "./telemetry.ts";
import { benchTransport } from "./transport.ts";
import { benchUploads } from "./uploads.ts";
import { benchVault } from "./vault.ts";
import { benchVaultRestart } from "./vault-restart.ts";

type Bench = (say: (line: string) => void, options: BenchOptions) => Promise<Measurement[]>;

const benches: Record<string, Bench> = {
  log: benchLog,
  start: benchStart,
  erasure: benchErasure,
  transport: benchTransport,
  sim: benchSim,
  simulation: benchSimulation,
  vault: benchVault,
  "vault-restart": benchVaultRestart,
  scale: benchScale,
  telemetry: benchTelemetry,
  stats: benchStats,
  statistics: benchStatistics,
  results: benchResults,
  uploads: benchUploads,
  planner: benchPlanner,
  forecasts: benchForecasts,
  "fail-slow": benchFailSlow,
  quarantine: benchQuarantine,
};
/** Benchmarks that need services or tools set up by the user, so they run only when named. */
const onlyNamed: Record<string, Bench> = { disk: benchDisk, pages: benchPages };
const all = { ...benches, ...onlyNamed };

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      json: { type: "string" },
      nodes: { type: "string" },
      days: { type: "string", default: "3" },
      ingests: { type: "string", default: "1" },
      backfill: { type: "boolean", default: false },
      against: { type: "string" },
      tls: { type: "boolean", default: false },
      encryption: { type: "boolean", default: false },
      scrub: { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
      vault: { type: "boolean", default: false },
      pods: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const unknown = positionals.find((name) => !(name in all));
  if (unknown !== undefined) {
    throw new Error(`There is no benchmark "${unknown}"; choose from: ${Object.keys(all).join(", ")}.`);
  }
  const names = positionals.length > 0 ? positionals : Object.keys(benches);
  const { nodes, days, ingests, backfill, against } = values;
  const { tls: isTls, encryption: isEncryption, scrub: isScrub, profile: isProfile } = values;
  const { vault: isVault, pods: isOfPods } = values;
  const options: BenchOptions = {
    isProfile,
    isTls,
    isEncryption,
    isScrub,
    isVault,
    isOfPods,
    ...(against !== undefined && { against }),
    ...(nodes !== undefined && {
      fleet: {
        nodeCount: Number(nodes),
        dayCount: Number(days),
        isFilled: backfill,
        ingestCount: Number(ingests),
      },
    }),
  };
  const measurements: Measurement[] = [];
  for (const name of names) {
    const bench = all[name];
    if (bench) measurements.push(...(await bench((line) => process.stderr.write(`${line}\n`), options)));
  }
  const rows = measurements.map((row) => ({ ...row, ratio: row.value / row.against.value }));
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${release()}, Node ${process.versions.node}`;
  const result = { measuredAt: new Date().toISOString(), machine, measurements: rows };
  process.stdout.write(`${machine}\n\n`);
  for (const { name, value, unit, against, ratio } of rows) {
    const figure = `${value.toFixed(value < 100 ? 1 : 0)} ${unit}`;
    process.stdout.write(
      `${name.padEnd(44)}${figure.padStart(11)}   ${ratio.toFixed(2)} x ${against.name}\n`,
    );
  }
  process.stdout.write(`\n${JSON.stringify(result)}\n`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
