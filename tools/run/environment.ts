import { delimiter, join, resolve } from "node:path";

export const repositoryRoot = resolve(import.meta.dirname, "../..");

/** Prevents the tools we run from sending telemetry. */
const SILENCE = {
  DO_NOT_TRACK: "1",
  TURBO_TELEMETRY_DISABLED: "1",
  TURBO_NO_UPDATE_NOTIFIER: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  CHECKPOINT_DISABLE: "1",
};

/** The environment of every child: our Node 24 and our binaries first on the PATH, no telemetry, no colours. */
export function toolEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const path = [
    join(repositoryRoot, "tools/bin"),
    join(repositoryRoot, "node_modules/.bin"),
    process.env.PATH ?? "",
  ].join(delimiter);
  const environment: NodeJS.ProcessEnv = { ...process.env, ...SILENCE, NO_COLOR: "1", ...extra, PATH: path };
  delete environment.FORCE_COLOR;
  return environment;
}
