/**
 * `pnpm soak:kills [--kills 1000]`: kills the database, worker, ingest, console and probe of an installation this many
 * times each, all at the same time, while clients upload without a pause. Exits with 1 if a put failed or an object was
 * wrong.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { projectDirectory } from "../role/testing/role-processes.ts";
import { createKilledInstallation } from "./killed-installation.ts";
import { killedParts, killParts, startUploads, untilWell } from "./part-kills.ts";

const PROGRESS_EVERY = 50;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { kills: { type: "string", default: "1000" } } });
  const killCount = Number(values.kills);
  if (!Number.isInteger(killCount) || killCount < 1) throw new Error("--kills must be a number from 1.");
  // Inside the repository, because a temporary folder is often memory or lacks O_DIRECT.
  const installation = await createKilledInstallation(join(projectDirectory, "node_modules"));
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => void installation.stop().then(() => process.exit(130)));
  }
  try {
    await installation.start();
    const client = installation.client(4);
    const uploads = await startUploads(client);
    const startMs = performance.now();
    const { kills, readyKills } = await killParts(installation, killCount, Math.random, (part, count) => {
      if (count % PROGRESS_EVERY === 0)
        console.log(`${part}: ${count} kills, ${uploads.putCount()} puts, ${uploads.failures.length} failed`);
    });
    const killedMs = performance.now();
    await untilWell(installation);
    const wellMs = performance.now();
    const wrong = await uploads.finish();
    client.close();
    for (const part of killedParts)
      console.log(`${part}: ${kills[part]} kills, of them ${readyKills[part] ?? 0} while it did its work`);
    console.log(
      `${uploads.putCount()} puts in ${((wellMs - startMs) / 1000).toFixed(0)} s, ${uploads.failures.length} failed,`,
      `${wrong.length} objects wrong; all parts were well ${((wellMs - killedMs) / 1000).toFixed(1)} s after the last kill`,
    );
    for (const failure of uploads.failures.slice(0, 20)) console.log(failure);
    return uploads.failures.length + wrong.length === 0 ? 0 : 1;
  } finally {
    await installation.stop();
    installation.remove();
  }
}

process.exit(await main());
