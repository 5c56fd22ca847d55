/** Machines on their own network, each with empty drives and nothing else, and the command line as documented. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execPath } from "node:process";
import { scratchFolder } from "../../harness/agent-process.ts";
import { Network } from "./network.ts";
import type { Uploaded, UploadSettings } from "./uploads.ts";

const sources = join(import.meta.dirname, "../../../../..");
const OUTPUT_CHARACTERS_MAX = 60_000;

export interface Said {
  readonly code: number;
  readonly text: string;
}

export interface MachineDrives {
  readonly pods?: number;
  readonly stash?: number;
}

export interface LayoutOptions {
  readonly vault: string;
  readonly scheme: string;
  readonly port?: number;
}

/** A running command, and its output so far. */
class Foreground {
  readonly #child: ChildProcess;
  readonly over: Promise<Said>;
  text = "";

  constructor(command: readonly string[], env: NodeJS.ProcessEnv) {
    const [executable = "", ...args] = command;
    this.#child = spawn(executable, args, {
      cwd: sources,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding("utf8").on("data", (piece: string) => {
        this.text = (this.text + piece).slice(-OUTPUT_CHARACTERS_MAX);
      });
    this.over = once(this.#child, "close").then(([code]) => ({ code: code ?? -1, text: this.text }));
  }

  get isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}

export class BareMachines {
  readonly root: string;
  readonly #network: Network;
  readonly #drives: Readonly<Record<string, MachineDrives>>;

  private constructor(root: string, network: Network, drives: Readonly<Record<string, MachineDrives>>) {
    this.root = root;
    this.#network = network;
    this.#drives = drives;
  }

  /** `desk` is an additional machine that is not part of a vault. */
  static async make(drives: Readonly<Record<string, MachineDrives>>): Promise<BareMachines> {
    mkdirSync(scratchFolder, { recursive: true });
    const folder = mkdtempSync(join(scratchFolder, "bare-"));
    try {
      const network = await Network.create([...Object.keys(drives), "desk"], {
        folder,
        distant: {},
        near: { delayMs: 0.2, jitterMs: 0.1, lossPercent: 0, reorderPercent: 0 },
      });
      return new BareMachines(folder, network, drives);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  path(...parts: readonly string[]): string {
    return join(this.root, ...parts);
  }

  /** Writes `VAULT.yaml`, and creates the folders that represent its drives. */
  writeLayout({ vault, scheme, port }: LayoutOptions): string {
    const machines = Object.entries(this.#drives).map(([name, { pods = 0, stash = 0 }]) => {
      const keys = [`name: ${name}`, `address: ${this.#network.addressOf(name)}`];
      for (const [key, count] of Object.entries({ pods, stash })) {
        if (count === 0) continue;
        const drive = this.path(name, vault, key);
        for (let at = 0; at < count; at++) mkdirSync(`${drive}${at}`, { recursive: true });
        keys.push(`${key}: "${drive}{0..${count - 1}}"`);
      }
      if (pods + stash === 0) keys.push("coordinator: true");
      return `  - { ${keys.join(", ")} }`;
    });
    const lines = [
      `vault: ${vault}`,
      `scheme: ${scheme}`,
      "size: { pod: 64MiB, stash: 32MiB }",
      ...(port === undefined ? [] : [`port: ${port}`]),
      "machines:",
      ...machines,
    ];
    const path = this.path(`${vault}.yaml`);
    writeFileSync(path, `${lines.join("\n")}\n`);
    return path;
  }

  /** Runs `npm run stashlight -- ARGS` on this machine. */
  start(machine: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Foreground {
    return this.#start(machine, ["npm", "run", "stashlight", "--", ...args], env);
  }

  /** Runs a command; resolves when it has ended. */
  async say(machine: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Said> {
    return await this.start(machine, args, env).over;
  }

  /** Uploads from the desk and reads back, trusting also the authority in this file. */
  async upload(settings: UploadSettings, ca: string): Promise<Uploaded> {
    const script = join(import.meta.dirname, "uploads.ts");
    const client = this.#start("desk", [execPath, script, JSON.stringify(settings)], {
      NODE_EXTRA_CA_CERTS: ca,
    });
    const { code, text } = await client.over;
    if (code !== 0) throw new Error(`The client ended with the code ${code}: ${text}`);
    return JSON.parse(text.trim().split("\n").at(-1) ?? "") as Uploaded;
  }

  #start(machine: string, command: readonly string[], env: NodeJS.ProcessEnv): Foreground {
    return new Foreground([...this.#network.commandOn(machine), ...command], env);
  }

  /** Ends whatever runs on the machines, and removes them with their folder. */
  async close(): Promise<void> {
    await this.#network.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}
