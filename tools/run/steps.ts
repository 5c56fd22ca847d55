import type { CommandResult } from "./command.ts";

export interface Step {
  readonly name: string;
  run(): Promise<CommandResult>;
}

/** Runs one step and prints one line with its time; the whole output only when it failed. */
export async function runStep(step: Step): Promise<CommandResult> {
  const startedMs = performance.now();
  const result = await step.run().catch(
    (error: unknown): CommandResult => ({
      isGreen: false,
      output: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }),
  );
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(
    `${result.isGreen ? "ok    " : "FAILED"}  ${step.name.padEnd(24)} ${seconds.padStart(6)} s  ${result.note ?? ""}`.trimEnd(),
  );
  if (!result.isGreen) console.log(indent(result.output));
  return result;
}

function indent(output: string): string {
  const text = output.trimEnd();
  if (text === "") return "        (it wrote nothing)\n";
  return `${text.replace(/^(?=.)/gm, "        ")}\n`;
}
