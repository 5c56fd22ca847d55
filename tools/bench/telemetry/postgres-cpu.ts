/** CPU time of a Postgres on this machine so far, including ended sessions (Linux). */
import { readdirSync, readFileSync } from "node:fs";
import type { MetricClient } from "@stashlight/db/metrics";

const CPU_TICK_SECONDS = 0.01;
/** Fields of /proc/PID/stat after the name: parent, own user and system time, and those of ended children. */
const [PARENT, USER, SYSTEM, USER_OF_ENDED, SYSTEM_OF_ENDED] = [1, 11, 12, 13, 14] as const;

export async function postgresCpuSeconds(client: MetricClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const server = readStatFields(rows[0]?.pid ?? 0)[PARENT] ?? 0;
  const ticks = readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const fields = readStatFields(Number(name));
    if (Number(name) === server) return sum(fields, [USER, SYSTEM, USER_OF_ENDED, SYSTEM_OF_ENDED]);
    return fields[PARENT] === server ? sum(fields, [USER, SYSTEM]) : [];
  });
  return ticks.reduce((total, each) => total + each, 0) * CPU_TICK_SECONDS;
}

const sum = (fields: readonly number[], places: readonly number[]): number =>
  places.reduce((total, place) => total + (fields[place] ?? 0), 0);

function readStatFields(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
  } catch {
    // The process ended during the scan.
    return [];
  }
}
