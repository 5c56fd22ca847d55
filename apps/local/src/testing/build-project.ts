/** A folder that looks like the project to a build, with a scripted turbo for tests. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface BuildProject {
  readonly directory: string;
  write(path: string, text: string): void;
  exists(path: string): boolean;
  /** Tasks for which turbo was started, in order. */
  tasks(): string[];
  remove(): void;
}

/** The console's build waits for a file `continue`. It fails with the text of a file `trouble` if there is one. */
const fakeTurbo = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
const [, , , task] = process.argv;
appendFileSync("tasks", task + " cache " + process.env.STASHLIGHT_BUILD_CACHE + "\\n");
if (task === "generate") {
  mkdirSync("packages/db/src/generated", { recursive: true });
  writeFileSync("packages/db/src/generated/client.ts", "");
} else {
  while (!existsSync("continue")) await new Promise((resolve) => setTimeout(resolve, 10));
  if (existsSync("trouble")) {
    console.error(readFileSync("trouble", "utf8"));
    process.exit(1);
  }
  mkdirSync("apps/console/.next", { recursive: true });
  writeFileSync("apps/console/.next/BUILD_ID", process.env.STASHLIGHT_BUILD_ID);
}
`;

export function createBuildProject(): BuildProject {
  const directory = mkdtempSync(join(tmpdir(), "stashlight-build-"));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  write("node_modules/turbo/bin/turbo", fakeTurbo);
  write("node_modules/turbo/package.json", '{ "type": "module" }');
  write("apps/console/src/page.tsx", "");
  write("prisma/schema.prisma", "");
  for (const path of ["package.json", "pnpm-lock.yaml", "tsconfig.base.json"]) write(path, "");
  mkdirSync(join(directory, "packages"));
  const exists = (path: string) => existsSync(join(directory, path));
  return {
    directory,
    write,
    exists,
    tasks: () => (exists("tasks") ? readFileSync(join(directory, "tasks"), "utf8").trim().split("\n") : []),
    remove: () => rmSync(directory, { recursive: true }),
  };
}
