/** Several machines on one: each has its own folder and loopback address, and uses the real command line. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:https";
import { join } from "node:path";
import { execPath } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { S3Client } from "@aws-sdk/client-s3";
import { expect } from "vitest";
import { program, scratchFolder } from "../harness/agent-process.ts";
import { findFreePorts } from "../harness/free-ports.ts";

export interface Said {
  readonly code: number;
  readonly text: string;
}

export interface LayoutOptions {
  readonly vault?: string;
  /** Machines with a coordinator alone. */
  readonly frontCount?: number;
  /** Serves S3 without TLS. */
  readonly isPlain?: boolean;
}

/** Creates a client of the vault's S3 endpoint that trusts its authority. */
export function createMachineClient(machines: Machines, address: string, vault = "photos"): S3Client {
  const [key] = JSON.parse(machines.read(`${vault}/vault.json`)).accessKeys;
  return new S3Client({
    endpoint: `https://${address}:${machines.s3Port}`,
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
    requestHandler: { httpsAgent: new Agent({ ca: machines.read(`${vault}/ca.pem`), keepAlive: true }) },
  });
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export class Machines {
  readonly root: string;
  readonly port: number;
  readonly s3Port: number;

  private constructor(root: string, [port, s3Port]: readonly [number, number]) {
    this.root = root;
    this.port = port;
    this.s3Port = s3Port;
  }

  static async make(): Promise<Machines> {
    mkdirSync(scratchFolder, { recursive: true });
    // A machine's nodes use six consecutive ports.
    const ports = await findFreePorts(8);
    return new Machines(mkdtempSync(join(scratchFolder, "machines-")), [
      ports[0] as number,
      ports[7] as number,
    ]);
  }

  drive(machine: string, name: string): string {
    return join(this.root, machine, name);
  }

  folder(machine: string): string {
    return join(this.root, machine, "vault");
  }

  bundle(machine: string, vault = "photos"): string {
    return join(this.root, vault, "bundles", `${machine}.bundle`);
  }

  /** Coordinators on the first machines, and a pod and a stash drive on each of the others. */
  writeLayout(
    name: string,
    addresses: readonly string[],
    { vault = "photos", frontCount = 1, isPlain = false }: LayoutOptions = {},
  ): string {
    const [fronts, stores] = [addresses.slice(0, frontCount), addresses.slice(frontCount)];
    const lines = [
      `vault: ${vault}`,
      "scheme: 2+1",
      "size: { pod: 96MiB, stash: 32MiB }",
      `port: ${this.port}`,
      `s3: { port: ${this.s3Port}${isPlain ? ", tls: false" : ""} }`,
      "machines:",
      ...fronts.map((address, at) => {
        return `  - { name: front${at === 0 ? "" : `-${at + 1}`}, address: ${address}, coordinator: true }`;
      }),
      ...stores.map((address, at) => {
        const machine = `store-${at + 1}`;
        const [hdd, ssd] = ["hdd", "ssd"].map((each) => this.drive(machine, each)) as [string, string];
        for (const path of [hdd, ssd]) mkdirSync(path, { recursive: true });
        return `  - { name: ${machine}, address: ${address}, pods: ["${hdd}"], stash: ["${ssd}"] }`;
      }),
    ];
    const path = join(this.root, name);
    writeFileSync(path, `${lines.join("\n")}\n`);
    return path;
  }

  async say(...args: string[]): Promise<Said> {
    const child = this.#start(args);
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
    const [code] = await once(child, "close");
    return { code: code ?? -1, text };
  }

  /** Runs a command and kills it as soon as `isSo` is true, unless it has ended by then. */
  async sayUntil(isSo: () => boolean, ...args: string[]): Promise<void> {
    const child = this.#start(args);
    const ended = once(child, "exit");
    while (child.exitCode === null && !isSo()) await delay(2);
    child.kill("SIGKILL");
    await ended;
    expect(isSo()).toBe(true);
  }

  /** Runs the nodes of a machine in the foreground; resolves when they are up. */
  async run(machine: string): Promise<ChildProcess> {
    const child = this.#start(["vault", "run", "--folder", this.folder(machine)]);
    let text = "";
    await new Promise<void>((resolve, reject) => {
      child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
        text = (text + piece).slice(-20_000);
        if (/^\S+ runs: /m.test(text)) resolve();
      });
      child.stderr?.resume();
      child.once("exit", () => reject(new Error(`The nodes of ${machine} ended: ${text}`)));
    });
    return child;
  }

  #start(args: readonly string[]): ChildProcess {
    const child = spawn(execPath, [program, ...args], {
      cwd: this.root,
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    child.once("exit", () => running.delete(child));
    return child;
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  async close(): Promise<void> {
    await Promise.all(
      [...running].map((child) => {
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        return ended;
      }),
    );
    rmSync(this.root, { recursive: true, force: true });
  }
}
