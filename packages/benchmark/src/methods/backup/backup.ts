/**
 * Backup: data sets in fixed blocks over many connections. Each block's key is made of its content, so a stored block
 * is not uploaded again. The main figure is the time of each whole stage: a full backup of one or several machines and,
 * if requested, incrementals, a merge into a synthetic full, and a restore while other machines write.
 */
import type { Session } from "../../run/session.ts";
import { CHECKED_KEY_COUNT, runTogether } from "../legs.ts";
import type { StoreMethod } from "../method.ts";
import { drawDataSets } from "./data-set.ts";
import { measureStage } from "./measure-stage.ts";
import { type BackupParameters, backupCounts, backupParameters } from "./parameters.ts";
import { backupResults } from "./results.ts";
import { backupPlan, plannedRounds } from "./stages.ts";
import { type BackupSet, countOperations, stageWorks } from "./works.ts";

export const backup: StoreMethod<BackupParameters> = {
  measures: "stores",
  name: "backup",
  version: 1,
  title: "Backup",
  description:
    "Data sets in fixed blocks over many connections, with deduplicated keys: full backup, incrementals, merge and restore, their time, MB/s and cost, and whether they fit into a night.",
  parameters: backupParameters,
  usesStore: true,
  presets: [
    { name: "small-blocks", title: "Backup: 256 MiB in blocks of 256 KiB", parameters: {} },
    {
      name: "deduplicated",
      title: "Backup: 256 MiB in blocks of 256 KiB, half of them duplicates",
      parameters: { duplicateShare: 0.5 },
    },
    {
      name: "nightly",
      title: "Nightly: 3 machines of 64 MiB, full and 2 incrementals, merge, restore",
      parameters: {
        dataBytes: 67_108_864,
        machineCount: 3,
        incrementalCount: 2,
        mergesAfter: true,
        restoresWhileWriting: true,
      },
    },
  ],
  plan: backupPlan,
  run: async (session, parameters, signal) => {
    const { blockBytes, timeoutMs } = parameters;
    session.configure({ timeoutMs, attemptCountMax: 1 });
    session.say("Making the data set");
    const counts = backupCounts(parameters);
    const blocks = await session.createBlocks(blockBytes, counts.uploadCount);
    const machines = drawDataSets(counts, parameters, session.shuffle);
    const set: BackupSet = { parameters, machines, blocks, index: new Map() };
    const rounds = plannedRounds(parameters);
    session.expect(rounds.flat().reduce((sum, stage) => sum + countOperations(set, stage), 0));
    await openConnections(session, parameters, signal);
    for (const round of rounds) {
      session.say(round.map(({ title }) => title).join(", "));
      const planned = round.map((stage) => ({ stage, works: stageWorks(set, stage) }));
      await runTogether(
        planned,
        ({ stage, works }, anySignal) => measureStage(session, parameters, stage, works, anySignal),
        signal,
      );
    }
    await session.checkStored(CHECKED_KEY_COUNT, signal);
    return backupResults(session.stages);
  },
};

/** Uploads one block over each connection, so that no stage includes the time to open it. */
async function openConnections(
  session: Session,
  { blockBytes, connectionCount, machineCount }: BackupParameters,
  signal: AbortSignal,
): Promise<void> {
  await session.prepareBodies([blockBytes]);
  session.say("Opening connections");
  for (let connection = 0; connection < machineCount * connectionCount; connection += 1) {
    const folder = String(Math.floor(connection / connectionCount));
    await session.warmUp(
      { operation: "PUT", sizeBytes: blockBytes, leg: 0, connection, pauseMs: 0, folder },
      signal,
    );
  }
}
