/**
 * Builds the programs of an installation, as its start does. Tests that start several installations run this first, so
 * that none of them waits for a build.
 */
import { resolve } from "node:path";
import { Failure } from "./failure.ts";
import { buildPrograms } from "./role/start.ts";

try {
  const projectDirectory = resolve(import.meta.dirname, "../../..");
  await buildPrograms({ projectDirectory, say: console.log });
} catch (error) {
  console.error(error instanceof Failure ? [error.message, ...error.evidence].join("\n") : error);
  process.exitCode = 1;
}
