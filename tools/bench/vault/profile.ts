/**
 * Distribution of a put's CPU time, by process and by stage. Each agent runs under V8's sampling profiler, which sees
 * its main thread, even while it waits for a core; so its samples only divide up the thread's CPU time as reported by
 * the kernel. The other threads are the pool's, the compiler's and the collector's helpers. Profiling itself takes some
 * of the time, so compare shares and not totals with other runs.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../run/environment.ts";
import type { Measurement } from "../measurement.ts";
import { type CpuProfile, type Stage, usByStage } from "./cpu-profile.ts";
import { runClient } from "./run-client.ts";
import { BenchVault, benchVolumes } from "./running.ts";
import { writeTarget } from "./target.ts";

const SECONDS = 10;
const sizes = [262_144, 1_048_576] as const;
const nowUs = (): number => Number(process.hrtime.bigint() / 1000n);

interface Spent {
  readonly process: string;
  readonly stages: ReadonlyMap<Stage | "other threads", number>;
}

export async function benchProfile(say: (line: string) => void): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const bytes of sizes) {
    const folder = mkdtempSync(join(repositoryRoot, "node_modules/.bench-profile-"));
    try {
      const size = bytes === 262_144 ? "256 KiB" : "1 MiB";
      const spent = await profilePuts(folder, bytes, (line) => say(`${size} x16: ${line}`));
      measurements.push(...stageMeasurements(size, spent));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return measurements;
}

/** Microseconds per put. */
async function profilePuts(folder: string, bytes: number, say: (line: string) => void): Promise<Spent[]> {
  const profiles = join(folder, "profiles");
  const nodeFlags = ["--cpu-prof", `--cpu-prof-dir=${profiles}`, "--cpu-prof-interval=500"];
  const vault = await BenchVault.create(join(folder, "vault"), { ...benchVolumes, nodeFlags });
  try {
    const target = writeTarget(vault.folder, vault.file);
    const load = { verb: "put", bytes, connections: 16, seconds: SECONDS } as const;
    // Warms up the code, as after a minute of work.
    await runClient(target, load);
    const processes = vault.processes();
    const before = processes.map(({ pid }) => readCpu(pid));
    const fromUs = nowUs();
    const client = await runClient(target, load);
    const toUs = nowUs();
    const after = processes.map(({ pid }) => readCpu(pid));
    say(`${client.perSecond.toFixed(0)} puts per second, n ${client.count}`);
    await vault.stop();
    return processes.map(({ name, pid }, at) => {
      const mainUs = (after[at]?.mainUs ?? 0) - (before[at]?.mainUs ?? 0);
      const othersUs = (after[at]?.othersUs ?? 0) - (before[at]?.othersUs ?? 0);
      const sampled = usByStage(readProfile(profiles, pid), fromUs, toUs);
      const sampledUs = [...sampled.values()].reduce((sum, us) => sum + us, 0);
      const stages = new Map<Stage | "other threads", number>();
      for (const [stage, us] of sampled) stages.set(stage, ((us / sampledUs) * mainUs) / client.allCount);
      return { process: name, stages: stages.set("other threads", othersUs / client.allCount) };
    });
  } finally {
    await vault.remove();
  }
}

/** User and system time, which the kernel counts in hundredths of a second. */
function readCpu(pid: number): { mainUs: number; othersUs: number } {
  const usIn = (path: string): number => {
    const stat = readFileSync(path, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(stat[11]) + Number(stat[12])) * 10_000;
  };
  const mainUs = usIn(`/proc/${pid}/task/${pid}/stat`);
  return { mainUs, othersUs: usIn(`/proc/${pid}/stat`) - mainUs };
}

/** The profiler names its files by date, time, process, thread and number. */
function readProfile(folder: string, pid: number): CpuProfile {
  const file = readdirSync(folder).find((name) => name.split(".")[3] === String(pid));
  if (file === undefined) throw new Error(`Process ${pid} has left no profile in ${folder}.`);
  return JSON.parse(readFileSync(join(folder, file), "utf8")) as CpuProfile;
}

function stageMeasurements(size: string, spent: readonly Spent[]): Measurement[] {
  const total = spent.flatMap(({ stages }) => [...stages.values()]).reduce((sum, us) => sum + us, 0);
  const against = { name: "all of it", value: total };
  return spent.flatMap(({ process: name, stages }) =>
    [...stages]
      .filter(([, us]) => us >= total / 500)
      .sort(([, a], [, b]) => b - a)
      .map(
        ([stage, us]): Measurement => ({
          name: `${size} x16, ${name}: ${stage}`,
          value: us,
          unit: "us",
          against,
        }),
      ),
  );
}
