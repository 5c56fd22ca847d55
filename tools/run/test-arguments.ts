import { parseArgs } from "node:util";

const STAGES = ["unit", "db", "vault", "sim", "e2e", "verify"] as const;

export interface TestArguments {
  /** The only stage to run; null runs all. */
  readonly only: (typeof STAGES)[number] | null;
  /** Handed to the runners, which take parts of file names. */
  readonly filters: readonly string[];
  /** Ten times the seeds of the simulation, and all its mutants. */
  readonly isFull: boolean;
}

/** Reads the arguments of `npm test`; a string is the sentence that says what is wrong with them. */
export function parseTestArguments(args: readonly string[]): TestArguments | string {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: { only: { type: "string" }, full: { type: "boolean" } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const unknown = tokens.find((token) => token.kind === "option" && !["only", "full"].includes(token.name));
  if (unknown?.kind === "option") {
    return `npm test does not know "${unknown.rawName}"; its options are --only STAGE and --full.`;
  }
  const isFull = values.full === true;
  if (values.only === undefined) return { only: null, filters: positionals, isFull };
  const only = STAGES.find((stage) => stage === values.only);
  if (!only) {
    const given = typeof values.only === "string" ? `"${values.only}"` : "nothing";
    return `--only takes one of ${STAGES.join(", ")}, not ${given}.`;
  }
  return { only, filters: positionals, isFull };
}
