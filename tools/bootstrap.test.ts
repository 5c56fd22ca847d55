import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const waitOptions = { timeout: 15_000, interval: 20 };

/** A project of one package, and an npx that installs nothing but notes that it ran. */
let project = "";

const fakeNpx = `#!/bin/sh
echo "$@" >> installs
if [ -e slow ]; then while [ ! -e continue ]; do sleep 0.02; done; fi
if [ -e trouble ]; then cat trouble; exit 1; fi
mkdir -p node_modules/.bin node_modules/left-pad
ln -sf "${process.execPath}" node_modules/.bin/node
`;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "stashlight-bootstrap-"));
  for (const folder of ["tools", "bin"]) mkdirSync(join(project, folder));
  for (const file of ["bootstrap.mjs", "npm-parent.mjs", "end-with-npm.mjs"]) {
    copyFileSync(join(import.meta.dirname, file), join(project, "tools", file));
  }
  write("bin/npx", fakeNpx);
  chmodSync(join(project, "bin/npx"), 0o755);
  write("pnpm-workspace.yaml", "packages:\n  - e2e\nengineStrict: true\n");
  write("pnpm-lock.yaml", "lockfileVersion: '9.0'\n");
  const manifest = {
    packageManager: "pnpm@1.2.3",
    dependencies: { "left-pad": "1.0.0" },
    optionalDependencies: { [`node-${process.platform}-${process.arch}`]: "24.0.0" },
  };
  write("package.json", JSON.stringify(manifest));
  write("say.ts", "const words: string[] = process.argv.slice(2);\nconsole.log(words.join(' '));\n");
});
afterEach(() => rmSync(project, { recursive: true }));

const write = (path: string, text: string) => writeFileSync(join(project, path), text);
const installCount = () =>
  existsSync(join(project, "installs"))
    ? readFileSync(join(project, "installs"), "utf8").trim().split("\n").length
    : 0;

const environment = () => {
  const { npm_lifecycle_event: _, NODE_COMPILE_CACHE: __, ...env } = process.env;
  return { ...env, PATH: `${join(project, "bin")}:${process.env.PATH}` };
};
const command = (args: string[]) => [join(project, "tools/bootstrap.mjs"), ...args];
/** Simulates a Node that cannot replace its process, such as Node 20. */
const withoutReplacement = ["--import", "data:text/javascript,process.execve=undefined"];

function bootstrap(...args: string[]) {
  const options = { cwd: project, env: environment(), encoding: "utf8", timeout: 15_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, command(args), options);
  return { status, stdout, stderr };
}

function spawnBootstrap(...args: string[]) {
  return spawnNode(command(args), environment());
}

function spawnNode(args: string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, args, { cwd: project, env });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  return { child: child as ChildProcess, output, ended };
}

test("the first run installs with the pinned pnpm, and the next installs nothing", () => {
  expect(bootstrap("say.ts", "hello", "you")).toMatchObject({ status: 0, stdout: "hello you\n" });
  expect(bootstrap("say.ts", "again")).toMatchObject({ status: 0, stdout: "again\n", stderr: "" });
  expect(installCount()).toBe(1);
  expect(readFileSync(join(project, "installs"), "utf8")).toContain(
    "-y pnpm@1.2.3 install --frozen-lockfile",
  );
});

test.each<[string, () => void]>([
  ["the lockfile changed", () => write("pnpm-lock.yaml", "lockfileVersion: '9.1'\n")],
  ["the workspace changed", () => write("pnpm-workspace.yaml", "packages:\n  - e2e\n  - other\n")],
  [
    "a package was added",
    () => {
      mkdirSync(join(project, "e2e"));
      write("e2e/package.json", "{}");
    },
  ],
  [
    "a dependency was removed by hand",
    () => rmSync(join(project, "node_modules/left-pad"), { recursive: true }),
  ],
  ["Node was removed by hand", () => rmSync(join(project, "node_modules/.bin/node"))],
  ["node_modules was removed", () => rmSync(join(project, "node_modules"), { recursive: true })],
])("it installs again when %s", (_, change) => {
  bootstrap("say.ts");
  change();
  expect(bootstrap("say.ts", "ok")).toMatchObject({ status: 0, stdout: "ok\n" });
  expect(installCount()).toBe(2);
});

test.each<[string, RegExp]>([
  ["npm error getaddrinfo ENOTFOUND registry", /The npm registry could not be reached; check the network/],
  ["ENOSPC: no space left on device", /The disk below .* is full; free about 2 GB and start again\.$/],
  ["EACCES: permission denied, mkdir", /There is no permission to write below .*node_modules; start as/],
  [
    "ERR_PNPM_OUTDATED_LOCKFILE",
    /pnpm-lock\.yaml does not fit the package\.json files; run npx -y pnpm@1\.2\.3/,
  ],
  ["something unheard of", /The dependencies could not be installed; the lines above show why\.$/],
])("a failed install that prints %j is explained, and the next start retries it", (output, sentence) => {
  write("trouble", `${output}\n`);
  const { status, stderr } = bootstrap("say.ts");
  expect(status).toBe(1);
  expect(stderr).toContain(output);
  expect(stderr.trim()).toMatch(sentence);
  rmSync(join(project, "trouble"));
  expect(bootstrap("say.ts")).toMatchObject({ status: 0 });
});

test("one of two concurrent starts installs, and the other waits", async () => {
  write("slow", "");
  const first = spawnBootstrap("say.ts", "first");
  await vi.waitFor(() => expect(installCount()).toBe(1), waitOptions);
  const second = spawnBootstrap("say.ts", "second");
  await vi.waitFor(() => expect(second.output.stderr).toContain("Waiting for another start"), waitOptions);
  write("continue", "");
  expect(await Promise.all([first.ended, second.ended])).toEqual(Array(2).fill({ code: 0, signal: null }));
  expect([first.output.stdout, second.output.stdout]).toEqual(["first\n", "second\n"]);
  expect(installCount()).toBe(1);
});

test.each<[string, () => string]>([
  ["of a dead process", () => String(spawnSync(process.execPath, ["--version"]).pid)],
  ["of another program", () => String(process.ppid)],
  ["that is empty", () => ""],
  ["that is garbage", () => "\0\0"],
])("an install lock %s is taken over", (_, content) => {
  mkdirSync(join(project, "node_modules"));
  write("node_modules/.stashlight-install.lock", content());
  expect(bootstrap("say.ts", "ok")).toMatchObject({ status: 0, stdout: "ok\n" });
  expect(existsSync(join(project, "node_modules/.stashlight-install.lock"))).toBe(false);
});

test("a lock that another start took over in the meantime is put back", async () => {
  const lockFile = join(project, "node_modules/.stashlight-install.lock");
  const holder = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  mkdirSync(join(project, "node_modules"));
  write("node_modules/.stashlight-install.lock", String(process.ppid));
  write("fresh", String(holder.pid));
  // The first check of the lock's holder finds an unrelated program, and during the check another start takes the lock.
  const ps = `#!/bin/sh
if [ -e fresh ]; then mv fresh "${lockFile}"; echo stranger; else echo bootstrap.mjs; fi
`;
  write("bin/ps", ps);
  chmodSync(join(project, "bin/ps"), 0o755);
  const { output, ended } = spawnBootstrap("say.ts", "ok");
  try {
    await vi.waitFor(() => expect(output.stderr).toContain("Waiting for another start"), waitOptions);
    await vi.waitFor(() => expect(existsSync(lockFile)).toBe(true), waitOptions);
    expect(readFileSync(lockFile, "utf8")).toBe(String(holder.pid));
    expect(installCount()).toBe(0);
  } finally {
    holder.kill("SIGKILL");
  }
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(output.stdout).toBe("ok\n");
  expect(existsSync(lockFile)).toBe(false);
});

test("--prepare installs and compiles, and runs nothing", () => {
  expect(bootstrap("--prepare", "say.ts", "hello")).toMatchObject({ status: 0, stdout: "" });
  expect(installCount()).toBe(1);
  const cached = readdirSync(join(project, "node_modules/.cache/node-compile"), { recursive: true });
  expect(cached.length).toBeGreaterThan(1);
  expect(bootstrap("--prepare", "say.ts")).toMatchObject({ status: 0, stdout: "", stderr: "" });
  expect(installCount()).toBe(1);
});

const waiting = "setInterval(() => {}, 1000);\nconsole.log('up', process.pid);\n";

describe.each<[string, string[]]>([
  ["in the bootstrap's place", []],
  ["as the bootstrap's child", withoutReplacement],
])("a program that runs %s", (_, flags) => {
  const spawnRun = (file: string) => spawnNode([...flags, ...command([file])], environment());

  test("determines the exit code", async () => {
    write("exit.ts", "process.exit(7);\n");
    expect(await spawnRun("exit.ts").ended).toEqual({ code: 7, signal: null });
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "receives %s and determines the exit code",
    async (signal) => {
      write("wait.ts", `process.on("${signal}", () => process.exit(42));\n${waiting}`);
      const { child, output, ended } = spawnRun("wait.ts");
      await vi.waitFor(() => expect(output.stdout).toContain("up"), waitOptions);
      child.kill(signal);
      expect(await ended).toEqual({ code: 42, signal: null });
    },
  );

  test("ends the bootstrap with the same signal if it is killed by one", async () => {
    write("wait.ts", waiting);
    const { child, output, ended } = spawnRun("wait.ts");
    await vi.waitFor(() => expect(output.stdout).toContain("up"), waitOptions);
    child.kill("SIGTERM");
    expect(await ended).toEqual({ code: null, signal: "SIGTERM" });
  });

  test("receives SIGTERM when npm is killed", async () => {
    write("wait.ts", `process.on("SIGTERM", () => { console.log("asked"); process.exit(); });\n${waiting}`);
    const args = JSON.stringify([...flags, ...command(["wait.ts"])]);
    const npm = `require("child_process").spawn(process.execPath, ${args}, { stdio: "inherit" });`;
    const { child, output, ended } = spawnNode(["-e", npm], {
      ...environment(),
      npm_lifecycle_event: "start",
    });
    await vi.waitFor(() => expect(output.stdout).toContain("up"), waitOptions);
    child.kill("SIGKILL");
    await ended;
    expect(output.stdout).toContain("asked");
  });
});

test("a program that replaces the bootstrap has its process id", async () => {
  write("wait.ts", waiting);
  const { child, output, ended } = spawnBootstrap("wait.ts");
  await vi.waitFor(() => expect(output.stdout).toContain(`up ${child.pid}\n`), waitOptions);
  child.kill("SIGKILL");
  await ended;
});

test("a child notices when the bootstrap is killed", async () => {
  write("wait.ts", `process.on("disconnect", () => { console.log("alone"); process.exit(0); });\n${waiting}`);
  const { child, output, ended } = spawnNode([...withoutReplacement, ...command(["wait.ts"])], environment());
  await vi.waitFor(() => expect(output.stdout).toContain("up"), waitOptions);
  child.kill("SIGKILL");
  await ended;
  expect(output.stdout).toContain("alone");
});

test("Ctrl-C during the install ends it and frees the lock", async () => {
  write("slow", "");
  const { child, ended } = spawnBootstrap("say.ts");
  await vi.waitFor(() => expect(installCount()).toBe(1), waitOptions);
  child.kill("SIGINT");
  expect(await ended).toEqual({ code: 130, signal: null });
  expect(existsSync(join(project, "node_modules/.stashlight-install.lock"))).toBe(false);
});
