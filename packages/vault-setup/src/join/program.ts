/** Command line of our own programs: run from the source tree, or from a single executable file. */
export interface Program {
  readonly executable: string;
  /** Arguments that precede the program's own. */
  readonly args: readonly string[];
}
