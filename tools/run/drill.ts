/** Runs a drill: a vault test of rounds, whose options it takes from variables of its environment. */
import { endChildrenOnSignal, runCommand, runTurbo } from "./command.ts";
import { parseToolArguments } from "./tool-arguments.ts";

interface Drill<Name extends string> {
  readonly usage: string;
  /** Path of the test. */
  readonly test: string;
  /** Each option with its variable and its default. All are whole numbers, except those in `forms`. */
  readonly options: Readonly<Record<Name, readonly [variable: string, standard: string]>>;
  readonly forms?: Readonly<Record<string, readonly [pattern: RegExp, mistake: string]>>;
  /** Printed before the first round. */
  readonly describe: (values: Readonly<Record<Name, string>>) => string;
}

const WHOLE_NUMBER = [/^[1-9]\d*$/, "is not a whole number above 0."] as const;
const SEED = [/^(0|[1-9]\d*)$/, "is not a whole number."] as const;

export const randomSeed = (): string => String(Math.floor(Math.random() * 1_000_000));

export async function runDrill<Name extends string>(drill: Drill<Name>): Promise<void> {
  const declared = Object.entries<readonly [string, string]>(drill.options);
  const { values } = parseToolArguments(drill.usage, {
    options: Object.fromEntries(
      declared.map(([name, [, standard]]) => [name, { type: "string", default: standard } as const]),
    ),
  });
  const given = values as Record<Name, string>;
  for (const [name, value] of Object.entries<string>(given)) {
    const [pattern, mistake] = drill.forms?.[name] ?? (name === "seed" ? SEED : WHOLE_NUMBER);
    if (!pattern.test(value)) fail(`--${name} ${value} ${mistake}`);
  }
  endChildrenOnSignal();
  const generated = await runTurbo(["generate"]);
  if (!generated.isGreen) fail(generated.output);
  console.log(drill.describe(given));
  const environment = Object.fromEntries(
    declared.map(([name, [variable]]) => [variable, given[name as Name]]),
  );
  const args = ["run", "--project", "vault", "--disableConsoleIntercept", drill.test];
  const { isGreen } = await runCommand("vitest", args, { environment, live: true });
  if (!isGreen) process.exitCode = 1;
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
