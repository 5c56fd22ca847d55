import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type BuildOptions, buildIfNeeded } from "./build.ts";
import { killGroup } from "./node-process.ts";
import { type BuildProject, createBuildProject } from "./testing/build-project.ts";

let project: BuildProject;
let shown: string[] = [];

beforeEach(() => {
  project = createBuildProject();
  shown = [];
});
afterEach(() => project.remove());

const build = (options: Partial<BuildOptions> = {}): Promise<string> =>
  buildIfNeeded({
    projectDirectory: project.directory,
    logFile: join(project.directory, "build.log"),
    show: (detail) => shown.push(detail),
    entries: [],
    onSpawn: () => {},
    ...options,
  });

test("services are ready while the console is still being built", async () => {
  const ready = Promise.withResolvers<void>();
  const built = build({ onServicesReady: ready.resolve });
  await ready.promise;
  expect(project.exists("packages/db/src/generated/client.ts")).toBe(true);
  expect(project.exists("apps/console/.next/BUILD_ID")).toBe(false);
  project.write("continue", "");
  expect(await built).toBe("built");
  expect(shown).toEqual(["generating the database client", "building the console, roughly 40 s left"]);
});

test("a second start without changes builds nothing, and services are ready at once", async () => {
  project.write("continue", "");
  await build();
  let isReady = false;
  const result = await build({
    onServicesReady: () => {
      isReady = true;
    },
  });
  expect({ result, isReady }).toEqual({ result: "up to date", isReady: true });
  expect(project.tasks()).toHaveLength(2);
});

test("the first build writes no Next.js cache, and later builds use one", async () => {
  project.write("continue", "");
  await build();
  project.write("apps/console/src/page.tsx", "changed");
  expect(await build()).toBe("built");
  const first = ["generate cache off", "build cache off"];
  expect(project.tasks()).toEqual([...first, "generate cache on", "build cache on"]);
});

test("a failed build names its reason, and the next start builds again", async () => {
  project.write("continue", "");
  project.write("trouble", "Module not found: Can't resolve 'left-pad'");
  await expect(build()).rejects.toMatchObject({
    message: "The console could not be built; fix what the lines below report, and start again.",
    evidence: expect.arrayContaining(["Module not found: Can't resolve 'left-pad'"]),
  });
  project.write("trouble", "No space left on device");
  await expect(build()).rejects.toThrow(`The disk of ${project.directory} is full`);
});

test("sources that were reverted after an interrupted build are built again", async () => {
  project.write("continue", "");
  await build();
  project.write("apps/console/src/page.tsx", "changed");
  const children: ChildProcess[] = [];
  const cutOff = build({
    onSpawn: (child) => {
      children.push(child);
      killGroup(child);
    },
  });
  await expect(cutOff).rejects.toThrow("could not be built");
  expect(children).toHaveLength(1);
  project.write("apps/console/src/page.tsx", "");
  expect(await build()).toBe("built");
});

test("npm start waits for another process's build, and uses it", async () => {
  const first = build();
  const waiting = Promise.withResolvers<void>();
  const second = build({ show: () => waiting.resolve() });
  await waiting.promise;
  project.write("continue", "");
  expect(await Promise.all([first, second])).toEqual(["built", "another start built it"]);
  expect(project.tasks()).toHaveLength(2);
});
