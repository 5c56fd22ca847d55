/**
 * Data set of a machine: the blocks that each backup uploads, and the block at each place after the last backup. Block
 * numbers are drawn before the run, so that the request count of each backup is known.
 */
import type { BackupCounts } from "./parameters.ts";

export interface MachineData {
  /** From 0. The machine's blocks are stored below this folder of the run's prefix. */
  readonly machine: number;
  /** Blocks that the full backup uploads, each once, in this order. */
  readonly full: readonly number[];
  /** Blocks that each incremental uploads. */
  readonly incrementals: readonly (readonly number[])[];
  /** Block at each place after the last incremental; a block at several places has the same number. */
  readonly newest: readonly number[];
  /** Blocks that it uploads while another machine is restored. */
  readonly meanwhile: readonly number[];
}

type Shuffle = <T>(items: readonly T[]) => T[];

/** Draws the data sets of all machines; no block is in two of them. */
export function drawDataSets(
  counts: BackupCounts,
  { machineCount, incrementalCount }: { readonly machineCount: number; readonly incrementalCount: number },
  shuffle: Shuffle,
): MachineData[] {
  let nextBlock = 0;
  return Array.from({ length: machineCount }, (_, machine) => {
    const { blockCount, distinctCount, changedCount } = counts;
    const first = nextBlock;
    nextBlock += distinctCount;
    // Every distinct block occurs once; repeats fill the remaining places, in random order.
    const places = shuffle(Array.from({ length: blockCount }, (_, index) => first + (index % distinctCount)));
    const full = [...new Set(places)];
    const incrementals = Array.from({ length: incrementalCount }, () => {
      const changed = shuffle([...places.keys()]).slice(0, changedCount);
      return changed.map((place) => {
        places[place] = nextBlock;
        return nextBlock++;
      });
    });
    const isWriting = machine >= machineCount - counts.writerCount;
    const meanwhile = isWriting ? Array.from({ length: changedCount }, () => nextBlock++) : [];
    return { machine, full, incrementals, newest: places, meanwhile };
  });
}

/** Returns uploaded blocks that are no longer at any place, so that a merge deletes them. */
export function replacedBlocks({ full, incrementals, newest }: MachineData): number[] {
  const referenced = new Set(newest);
  return [full, ...incrementals].flat().filter((block) => !referenced.has(block));
}
