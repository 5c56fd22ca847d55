/** One of the installation's own programs, as a part that the supervisor keeps running. */
import { logFilePath, prepareLogFile } from "./log-files.ts";
import { startNode } from "./node-process.ts";
import type { Part } from "./supervisor.ts";

export interface ChildDefinition {
  name: string;
  label: string;
  entry: string;
  args?: string[];
  nodeFlags?: readonly string[];
  /** Sentence about what does not work without the part. */
  consequence?: string;
}

export interface ChildSurroundings {
  projectDirectory: string;
  dataDirectory: string;
  env: NodeJS.ProcessEnv;
}

const stopPatienceMs = 2500;

export function childPart(
  { name, label, entry, args = [], nodeFlags = [], consequence }: ChildDefinition,
  { projectDirectory, dataDirectory, env }: ChildSurroundings,
): Part {
  return {
    label,
    stopPatienceMs,
    ...(consequence !== undefined && { consequence }),
    logFile: logFilePath(dataDirectory, name),
    start: (onSpawn) =>
      startNode(
        {
          label: `The ${name}`,
          entry,
          args,
          nodeFlags,
          env,
          workingDirectory: projectDirectory,
          logFile: prepareLogFile(dataDirectory, name),
        },
        onSpawn,
      ),
  };
}
