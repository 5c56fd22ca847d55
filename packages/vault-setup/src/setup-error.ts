/** A fault that prevents the creation of a vault or the joining of a machine, in one sentence each. */
export class SetupError extends Error {
  override readonly name = "SetupError";
  readonly faults: readonly string[];

  constructor(faults: string | readonly string[]) {
    const all = typeof faults === "string" ? [faults] : faults;
    super(all.join("\n"));
    this.faults = all;
  }
}
