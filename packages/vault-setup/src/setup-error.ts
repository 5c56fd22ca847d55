/** A fault that keeps a vault from being created or a machine from joining it: one sentence for each. */
export class SetupError extends Error {
  override readonly name = "SetupError";
  readonly faults: readonly string[];

  constructor(faults: string | readonly string[]) {
    const all = typeof faults === "string" ? [faults] : faults;
    super(all.join("\n"));
    this.faults = all;
  }
}
