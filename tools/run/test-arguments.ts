import { parseArgs } from "node:util";

const STAGES = ["unit", "db", "vault", "sim", "e2e", "verify"] as const;

export interface TestArguments {
  /** The only stage to run; null runs all. */
  readonly only: (typeof STAGES)[number] | null;
  /** Handed to the runners, which take parts of file names. */
  readonly filters: readonly string[];
}

/** Reads the arguments of `npm test`; a string is the sentence that says what is wrong with them. */
export function parseTestArguments(args: readonly string[]): TestArguments | string {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: { only: { type: "string" } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const unknown = tokens.find((token) => token.kind === "option" && token.name !== "only");
  if (unknown?.kind === "option") {
    return `npm test does not know "${unknown.rawName}"; its only option is --only STAGE.`;
  }
  if (values.only === undefined) return { only: null, filters: positionals };
  const only = STAGES.find((stage) => stage === values.only);
  if (!only) {
    const given = typeof values.only === "string" ? `"${values.only}"` : "nothing";
    return `--only takes one of ${STAGES.join(", ")}, not ${given}.`;
  }
  return { only, filters: positionals };
}
