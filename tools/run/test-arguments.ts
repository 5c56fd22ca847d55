import { parseArgs } from "node:util";
import type { Extent } from "./quick-tests.ts";

const STAGES = ["unit", "db", "vault", "sim", "e2e", "verify"] as const;
const OPTIONS = ["only", "full", "long"];

export type Stage = (typeof STAGES)[number];

export interface TestArguments {
  /** The only stage to run; null runs all. */
  readonly only: Stage | null;
  /** Substrings of file names, passed to the runners. */
  readonly filters: readonly string[];
  /** Each stage runs these parts of its tests, one part after the other. */
  readonly extents: readonly Extent[];
  /** Runs only the tests that take an hour: many seeds, every mutant, and networks that stay broken for longer. */
  readonly isLong: boolean;
}

/** Reads the arguments of `npm test`; returns a string to explain what is wrong with them. */
export function parseTestArguments(args: readonly string[]): TestArguments | string {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: { only: { type: "string" }, full: { type: "boolean" }, long: { type: "boolean" } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const unknown = tokens.find((token) => token.kind === "option" && !OPTIONS.includes(token.name));
  if (unknown?.kind === "option") {
    return `npm test does not know "${unknown.rawName}"; its options are --only STAGE, --full and --long.`;
  }
  const isLong = values.long === true;
  if (isLong && (values.full === true || values.only !== undefined || positionals.length > 0)) {
    return "--long runs only the tests that take an hour; leave other arguments out.";
  }
  const isChosen = values.only !== undefined || positionals.length > 0;
  const extents: Extent[] = isChosen ? ["all"] : values.full === true ? ["quick", "rest"] : ["quick"];
  if (values.only === undefined) return { only: null, filters: positionals, extents, isLong };
  const only = STAGES.find((stage) => stage === values.only);
  if (!only) {
    const given = typeof values.only === "string" ? `"${values.only}"` : "nothing";
    return `--only takes one of ${STAGES.join(", ")}, not ${given}.`;
  }
  return { only, filters: positionals, extents, isLong };
}
