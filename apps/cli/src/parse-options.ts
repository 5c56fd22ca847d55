import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "./usage-error.ts";

export const text = { type: "string" } as const;
export const texts = { type: "string", multiple: true } as const;
export const flag = { type: "boolean", default: false } as const;

/** Splits arguments into declared options and the rest. Throws a UsageError for anything that is not declared. */
export function parseOptions<const Config extends ParseArgsConfig>(config: Config, exitCode?: number) {
  try {
    return parseArgs<Config>(config);
  } catch (error) {
    const [sentence = ""] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(
      `${sentence.replace(/\.$/, "")}; npm run stashlight -- --help lists the options.`,
      exitCode,
    );
  }
}

/** Returns the only positional argument, or throws a UsageError with this sentence. */
export function onlyArgument([first, ...more]: readonly string[], otherwise: string): string {
  if (first !== undefined && more.length === 0) return first;
  throw new UsageError(otherwise);
}
