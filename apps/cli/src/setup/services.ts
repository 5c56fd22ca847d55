/** systemd services of a machine's nodes. They run as their own user, who receives the folders that they write to. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { SetupError } from "@stashlight/vault-setup";
import { type JoinedMachine, machineProcesses, serviceUnit } from "@stashlight/vault-setup/join";
import { agentProgram } from "./program.ts";

const UNIT_FOLDER = "/etc/systemd/system";
const SERVICE_USER = "stashlight";

export function hasSystemd(): boolean {
  return existsSync("/run/systemd/system");
}

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Writes units, and starts services that are not running. Leaves running nodes alone. Throws a SetupError. */
export async function installServices(machine: JoinedMachine, user: string | null): Promise<string[]> {
  const { state, folder } = machine;
  const name = user ?? SERVICE_USER;
  await provideUser(name);
  const units = (await machineProcesses(machine, agentProgram())).map((process) => ({
    ...serviceUnit(process, { vault: state.vault, folder, user: name }),
    folders: process.folders,
  }));
  await run("chown", ["-R", `${name}:`, folder, ...new Set(units.flatMap(({ folders }) => folders))]);
  await removeOthers(`stashlight-${state.vault}-`, new Set(units.map((unit) => unit.name)));
  for (const unit of units) {
    const path = join(UNIT_FOLDER, unit.name);
    if (!existsSync(path) || readFileSync(path, "utf8") !== unit.text) writeFileSync(path, unit.text);
  }
  await run("systemctl", ["daemon-reload"]);
  await run("systemctl", ["enable", "--now", ...units.map((unit) => unit.name)]);
  return units.map((unit) => unit.name);
}

async function provideUser(name: string): Promise<void> {
  try {
    await promisify(execFile)("id", ["-u", name]);
  } catch {
    await run("useradd", [
      "--system",
      "--user-group",
      "--no-create-home",
      "--shell",
      "/usr/sbin/nologin",
      name,
    ]);
  }
}

/** Units of processes that this machine no longer has, for example after a change of the processor count. */
async function removeOthers(prefix: string, kept: ReadonlySet<string>): Promise<void> {
  const stale = readdirSync(UNIT_FOLDER).filter(
    (name) => name.startsWith(prefix) && name.endsWith(".service") && !kept.has(name),
  );
  if (stale.length === 0) return;
  await run("systemctl", ["disable", "--now", ...stale]);
  for (const name of stale) rmSync(join(UNIT_FOLDER, name), { force: true });
}

async function run(command: string, args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(command, args);
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    throw new SetupError(
      `${command} ${args[0] ?? ""} failed: ${(stderr || message).trim().replace(/\.$/, "")}.`,
    );
  }
}
