/**
 * Work of each machine in each kind of stage. Blocks are stored in the machine's folder under the SHA-256 of their
 * content, and an index lists the uploaded ones, as in backup tools.
 */
import assert from "node:assert/strict";
import { toUploadBody, type UploadBody } from "../../run/bodies.ts";
import type { StoredObject } from "../../run/stored-objects.ts";
import { type MachineData, replacedBlocks } from "./data-set.ts";
import type { Hands, MachineOperation, MachineWork } from "./measure-stage.ts";
import { type BackupParameters, backupCounts } from "./parameters.ts";
import { type PlannedStage, RESTORED_MACHINE } from "./stages.ts";

export interface BackupSet {
  readonly parameters: BackupParameters;
  readonly machines: readonly MachineData[];
  /** Keyed by block number. */
  readonly blocks: readonly UploadBody[];
  /** Stored blocks, by the SHA-256 of their content. */
  readonly index: Map<string, StoredObject>;
}

/** Returns the work of every machine that takes part in the stage. */
export function stageWorks(set: BackupSet, stage: PlannedStage): MachineWork[] {
  const { parameters, machines } = set;
  const dataBytes = backupCounts(parameters).blockCount * parameters.blockBytes;
  const all = (run: (data: MachineData) => MachineWork["run"], some = machines) =>
    some.map((data): MachineWork => ({ machine: data.machine, dataBytes, run: run(data) }));
  if (stage.kind === "merge") return all((data) => merging(set, stage, data));
  if (stage.kind === "restore") {
    return all(
      (data) => restoring(set, stage, data),
      machines.filter(({ machine }) => machine === RESTORED_MACHINE),
    );
  }
  const uploaded = (data: MachineData): readonly number[] => {
    if (stage.kind === "full") return data.full;
    return stage.kind === "writes" ? data.meanwhile : (data.incrementals[stage.number - 1] ?? []);
  };
  return all(
    (data) => uploading(set, stage, data, uploaded(data)),
    machines.filter((data) => uploaded(data).length > 0),
  );
}

/** Number of operations of a stage if none of them fails. */
export function countOperations(set: BackupSet, stage: PlannedStage): number {
  const count = (of: (data: MachineData) => number) =>
    set.machines.reduce((total, data) => total + of(data), 0);
  if (stage.kind === "merge") return count((data) => 1 + replacedBlocks(data).length);
  if (stage.kind === "restore")
    return count(({ machine, newest }) => (machine === RESTORED_MACHINE ? new Set(newest).size : 0));
  return stage.legs.reduce((total, { sampleCount }) => total + (sampleCount ?? 0), 0);
}

function uploading(
  set: BackupSet,
  stage: PlannedStage,
  { machine }: MachineData,
  numbers: readonly number[],
): MachineWork["run"] {
  const { parameters, index } = set;
  const operations = function* (): Generator<MachineOperation> {
    for (const number of numbers) {
      const body = requireBlock(set, number);
      const key = { folder: String(machine), keyName: body.sha256Hex };
      yield { operation: "PUT", sizeBytes: parameters.blockBytes, leg: stage.firstLeg, body, ...key };
    }
  };
  return ({ perform }) =>
    perform(operations(), ({ body }, object) => {
      if (object !== null && body !== undefined) index.set(body.sha256Hex, object);
    });
}

/** Writes the manifest first: until it is stored the chain is still needed, and nothing is deleted. */
function merging(set: BackupSet, stage: PlannedStage, data: MachineData): MachineWork["run"] {
  const { parameters, index } = set;
  const manifest = toUploadBody(makeManifest(set, data));
  const upload: MachineOperation = {
    operation: "PUT",
    sizeBytes: manifest.bytes.length,
    leg: stage.firstLeg,
    body: manifest,
    folder: String(data.machine),
    keyName: "manifest",
  };
  const deletions = function* (): Generator<MachineOperation> {
    for (const number of replacedBlocks(data)) {
      const { sha256Hex } = requireBlock(set, number);
      const object = index.get(sha256Hex);
      if (object === undefined) continue;
      index.delete(sha256Hex);
      yield { operation: "DELETE", sizeBytes: parameters.blockBytes, leg: stage.firstLeg + 1, object };
    }
  };
  return async ({ perform }) => {
    let isStored = false;
    await perform([upload], (_, object) => {
      isStored = object !== null;
    });
    if (isStored) await perform(deletions(), () => {});
  };
}

/** Newest state of a machine: a line for each place, with the name of its block. */
function makeManifest(set: BackupSet, { newest }: MachineData): Buffer {
  return Buffer.from(newest.map((number) => `${requireBlock(set, number).sha256Hex}\n`).join(""));
}

/** Downloads each block once, even if it is at several places. */
function restoring(set: BackupSet, stage: PlannedStage, { newest }: MachineData): MachineWork["run"] {
  const { parameters, index } = set;
  const downloads = function* ({ miss }: Hands): Generator<MachineOperation> {
    for (const number of new Set(newest)) {
      const { sha256Hex } = requireBlock(set, number);
      const object = index.get(sha256Hex);
      if (object === undefined) miss(sha256Hex);
      else {
        const { blockBytes: sizeBytes } = parameters;
        yield { operation: "GET", sizeBytes, leg: stage.firstLeg, object, checksContent: true };
      }
    }
  };
  return (hands) => hands.perform(downloads(hands), () => {});
}

function requireBlock({ blocks }: BackupSet, number: number): UploadBody {
  const block = blocks[number];
  assert(block, `Block ${number} was not made.`);
  return block;
}
