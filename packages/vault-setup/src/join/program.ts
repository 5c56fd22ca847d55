/** Command line of our own programs: from the source tree, or from one file with everything. */
export interface Program {
  readonly executable: string;
  /** Placed before the program's own arguments. */
  readonly args: readonly string[];
}
