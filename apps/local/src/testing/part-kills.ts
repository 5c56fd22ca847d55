/** Kills parts of an installation repeatedly, at any moment of their life, while clients upload without a pause. */
import { setTimeout as delay } from "node:timers/promises";
import type { PartState } from "@stashlight/contracts/health";
import type { S3Client } from "@stashlight/s3/client";
import type { KilledInstallation } from "./killed-installation.ts";

/** All parts except the vault's processes. */
export const killedParts = ["Database", "Worker", "Ingest", "Console", "Probe"] as const;

export const bucket = "kills";
const UPLOADER_COUNT = 4;
const KEYS_PER_UPLOADER = 25;
const OBJECT_BYTES = 4096;
const PAUSE_MS = 20;
const POLL_MS = 5;
/** One of this many kills waits until the part does its work; the others mostly hit it while it starts. */
const READY_EVERY = 50;
const STARTING_MS_MAX = 300;

export interface KillCounts {
  /** Kills by part name. */
  readonly kills: Readonly<Record<string, number>>;
  /** Kills of a part that did its work; the others hit a starting one. */
  readonly readyKills: Readonly<Record<string, number>>;
}

/** Kills each part `killCount` times, all parts at the same time. */
export async function killParts(
  installation: Pick<KilledInstallation, "parts">,
  killCount: number,
  random: () => number,
  onKill: (part: string, count: number) => void = () => {},
): Promise<KillCounts> {
  const kills: Record<string, number> = {};
  const readyKills: Record<string, number> = {};
  await Promise.all(
    killedParts.map(async (name) => {
      let lastPid: number | null = null;
      for (let count = 1; count <= killCount; count += 1) {
        const isReadyWanted = count % READY_EVERY === 1;
        const pid = await nextPid(installation, name, lastPid, isReadyWanted);
        if (!isReadyWanted) await delay(random() * STARTING_MS_MAX);
        if (isEnded(pid)) {
          // The process exited before it was killed, for example because the database was unreachable.
          lastPid = pid;
          count -= 1;
          continue;
        }
        const isReady = partState(installation, name)?.isReady ?? false;
        process.kill(pid, "SIGKILL");
        lastPid = pid;
        kills[name] = count;
        if (isReady) readyKills[name] = (readyKills[name] ?? 0) + 1;
        onKill(name, count);
      }
    }),
  );
  return { kills, readyKills };
}

/** Waits for a process that has not been killed yet. */
async function nextPid(
  installation: Pick<KilledInstallation, "parts">,
  name: string,
  lastPid: number | null,
  isReadyWanted: boolean,
): Promise<number> {
  for (;;) {
    const part = partState(installation, name);
    if (part?.pid && part.pid !== lastPid && (part.isReady || !isReadyWanted)) return part.pid;
    await delay(POLL_MS);
  }
}

const partState = (installation: Pick<KilledInstallation, "parts">, name: string): PartState | undefined =>
  installation.parts().find((part) => part.name === name);

function isEnded(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

export interface Uploads {
  readonly putCount: () => number;
  /** Reasons of failed puts; the list should be empty. */
  readonly failures: readonly string[];
  /** Ends the uploads and reads each key. Returns the keys whose content is not the last one written. */
  finish(): Promise<string[]>;
}

/** Overwrites the same keys repeatedly, so that a small vault never fills up. */
export async function startUploads(client: S3Client): Promise<Uploads> {
  await client.ensureBucket(bucket);
  const stopping = new AbortController();
  const failures: string[] = [];
  const written = new Map<string, string>();
  let putCount = 0;
  const upload = async (uploader: number): Promise<void> => {
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      const key = `${uploader}/${round % KEYS_PER_UPLOADER}`;
      const content = `${key} ${round} `.padEnd(OBJECT_BYTES, ".");
      try {
        await client.putObject({ bucket, key, body: Buffer.from(content) });
        written.set(key, content);
        putCount += 1;
      } catch (error) {
        failures.push(`${key}: ${String(error)}`);
      }
      await delay(PAUSE_MS);
    }
  };
  const uploaders = Array.from({ length: UPLOADER_COUNT }, (_, uploader) => upload(uploader));
  return {
    putCount: () => putCount,
    failures,
    finish: async () => {
      stopping.abort();
      await Promise.all(uploaders);
      const wrong: string[] = [];
      for (const [key, content] of written) {
        const { body } = await client.getObject({ bucket, key });
        if (body.toString() !== content) wrong.push(key);
      }
      return wrong;
    },
  };
}

/** Waits until every part does its work again, and console and ingest reach the database. */
export async function untilWell({ parts, consoleUrl, ingestUrl }: KilledInstallation): Promise<void> {
  for (;;) {
    const areReady = parts().every(({ isReady }) => isReady);
    if (areReady && (await isOk(`${consoleUrl}/readyz`)) && (await isOk(`${ingestUrl}/readyz`))) return;
    await delay(POLL_MS);
  }
}

const isOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
