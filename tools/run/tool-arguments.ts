import { type ParseArgsConfig, parseArgs } from "node:util";

/** Parses the arguments of a developer tool. Ends the process with the usage for --help and for an unknown argument. */
export function parseToolArguments<Config extends ParseArgsConfig>(usage: string, config: Config) {
  if (process.argv.includes("--help")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    process.exit(1);
  }
}
