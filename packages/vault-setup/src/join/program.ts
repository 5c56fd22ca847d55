/** A program of ours as it is started from here: from the source tree, or from one file with everything. */
export interface Program {
  readonly executable: string;
  /** Go before the program's own arguments. */
  readonly args: readonly string[];
}
