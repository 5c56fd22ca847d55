/** Command line of our own programs: run from the source tree, or from a single executable file. */
export interface Program {
  readonly executable: string;
  /** Precede the program's own arguments. */
  readonly args: readonly string[];
}
