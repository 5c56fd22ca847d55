/**
 * The data set of a machine: a block at each place, and which of them every backup replaces. Blocks are numbers, drawn
 * before the run begins, so that it is known how much each backup will ask.
 */
import type { BackupCounts } from "./parameters.ts";

export interface MachineData {
  /** From 0. Below this folder of the run's prefix lie the blocks of the machine. */
  readonly machine: number;
  /** The blocks that the full backup uploads, each once, in this order. */
  readonly full: readonly number[];
  /** The blocks that each incremental uploads. */
  readonly incrementals: readonly (readonly number[])[];
  /** The block at each place after the last incremental; one that stands at several places is the same number. */
  readonly newest: readonly number[];
  /** The blocks that it uploads while another machine is restored. */
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
    // Every distinct block is there once and the rest again, in a random order.
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

/** The blocks that were uploaded and stand nowhere any more, so that a merge deletes them. */
export function replacedBlocks({ full, incrementals, newest }: MachineData): number[] {
  const referenced = new Set(newest);
  return [full, ...incrementals].flat().filter((block) => !referenced.has(block));
}
