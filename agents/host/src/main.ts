/**
 * The host agent: watches the drives and file systems of a Linux machine that is in no vault, and reads the metrics of
 * stores such as Ceph.
 *
 *     main.ts --ingest URL --name NAME --state FOLDER [--fsync FOLDER ...] [--scrape FILE] [--ca FILE]
 *             [--enrolment-token-file FILE]
 *
 * A separate role rather than part of the probe: a probe runs benchmarks, which would disturb the measurements, and
 * needs no rights, while SMART requires root.
 */
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import {
  boundHeap,
  lineOutput,
  onSupervisorGone,
  reportFailed,
  reportReady,
} from "@stashlight/contracts/process";
import {
  AGENT_VERSION,
  createAgentRecorder,
  nextBootId,
  openDelivery,
  Reporter,
} from "@stashlight/node-runtime/report";
import { pino } from "pino";
import { ArgumentError, parseArguments } from "./arguments.ts";
import { fsyncPlaces } from "./fsync/timed-drive.ts";
import { watchHost } from "./host.ts";
import { readScrapeFile } from "./scrape/index.ts";

const WINDOW_MS = 10_000;
const KERNEL = { sysFolder: "/sys", procFolder: "/proc" };

const logger = pino({ base: { role: "host" }, timestamp: pino.stdTimeFunctions.isoTime }, lineOutput());

async function run(): Promise<void> {
  boundHeap();
  const asked = parseArguments(process.argv.slice(2));
  const { ingest, caFile, enrolmentTokenFile, stateFolder, name } = asked;
  const places = await fsyncPlaces(asked.fsyncFolders, KERNEL);
  const sources = asked.scrapeFile === null ? [] : await readScrapeFile(asked.scrapeFile);
  const stopped = untilStopped();
  const refused = Promise.withResolvers<never>();
  const bootId = await nextBootId(stateFolder, Date.now());
  const recorder = createAgentRecorder("host");
  const stopWatching = await watchHost({
    recorder,
    places,
    sources,
    logger,
    kernel: KERNEL,
    nowMs: () => performance.now(),
    wallMs: Date.now,
  });
  const reporter = new Reporter({
    recorder,
    logger,
    windowMs: WINDOW_MS,
    nowMs: Date.now,
    random: Math.random,
    open: async (signal) => {
      try {
        const { delivery } = await openDelivery({
          ingest,
          caFile,
          enrolmentTokenFile,
          bootId,
          logger,
          signal,
          keyFile: join(stateFolder, "key.json"),
          identity: { name, role: "host", agentVersion: AGENT_VERSION },
        });
        return delivery;
      } catch (error) {
        // A revoked agent must stop writing to drives.
        if (!signal.aborted) refused.reject(new ArgumentError((error as Error).message));
        throw error;
      }
    },
  });
  reportReady();
  try {
    await Promise.race([stopped, refused.promise]);
    await reporter.stop();
  } finally {
    await stopWatching();
  }
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
    onSupervisorGone(() => resolve());
  });
}

run().then(
  () => process.exit(0),
  (error: Error) => {
    if (!(error instanceof ArgumentError)) logger.fatal({ err: error }, "ended");
    reportFailed(error instanceof ArgumentError ? error.message : `The host agent ended: ${error.message}`);
  },
);
