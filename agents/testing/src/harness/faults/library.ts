/** Compiles the library that makes calls on files fail, if there is a compiler. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder } from "../agent-process.ts";

const source = join(import.meta.dirname, "file-faults.c");
const compilers = ["cc", "gcc", "clang"];

export type FaultLibrary = { readonly path: string } | { readonly whyNot: string };

/** Compiles the library, or returns why that is impossible here. A source that does not compile is an error. */
export function compileFaultLibrary(): FaultLibrary {
  if (process.platform !== "linux") return { whyNot: "calls are intercepted on Linux only" };
  const compiler = compilers.find((name) => spawnSync(name, ["--version"]).status === 0);
  if (compiler === undefined) return { whyNot: "there is no C compiler (apt-get install gcc libc6-dev)" };
  const digest = createHash("sha256").update(readFileSync(source)).digest("hex").slice(0, 16);
  const path = join(scratchFolder, `file-faults-${process.arch}-${digest}.so`);
  if (existsSync(path)) return { path };
  mkdirSync(scratchFolder, { recursive: true });
  // Renamed when complete, because other test files look for the library at the same time.
  const partial = `${path}.${process.pid}`;
  const options = ["-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror"];
  const { status, stderr } = spawnSync(compiler, [...options, "-o", partial, source, "-ldl"], {
    encoding: "utf8",
  });
  if (status !== 0 && /(?:dlfcn|stdio)\.h/.test(stderr))
    return { whyNot: "there are no headers of the C library (apt-get install libc6-dev)" };
  if (status !== 0) throw new Error(`${source} does not compile:\n${stderr}`);
  renameSync(partial, path);
  return { path };
}
