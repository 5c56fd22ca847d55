/** Runs once before the vault tests: bundles the program that they start as agents and as the command line. */
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { repositoryRoot } from "../run/environment.ts";
import { bundleProgram } from "./bundle.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Path of the bundled program. */
    program: string;
  }
}

export default async function bundleTestProgram(project: TestProject): Promise<void> {
  const { file } = await bundleProgram(join(repositoryRoot, "node_modules/.cache/stashlight/program.cjs"));
  project.provide("program", file);
}
