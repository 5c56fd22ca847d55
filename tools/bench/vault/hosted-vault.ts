/** A vault of one checkout, in the processes that its own code starts. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { HostMessage } from "./host.ts";
import type { BenchVault, BenchVaultOptions } from "./running.ts";

/** Relative to a checkout. */
const HOST_SCRIPT = "tools/bench/vault/host.ts";

type Cost = ReturnType<BenchVault["cost"]>;

export class HostedVault {
  readonly target: string;
  readonly #host: ChildProcess;

  private constructor(host: ChildProcess, target: string) {
    this.#host = host;
    this.target = target;
  }

  /** Resolves when uploads are accepted. */
  static async start(root: string, folder: string, options: BenchVaultOptions): Promise<HostedVault> {
    const script = join(root, HOST_SCRIPT);
    const host = fork(script, [folder, JSON.stringify(options)], { cwd: root });
    const ended = once(host, "exit").then(() => {
      throw new Error(`The vault of ${root} did not start.`);
    });
    const [message] = (await Promise.race([once(host, "message"), ended])) as [HostMessage];
    if (message.type !== "ready") throw new Error("A vault's host did not report the vault's address.");
    ended.catch(() => {});
    return new HostedVault(host, message.target);
  }

  /** Memory and CPU time of all agents together. */
  async cost(): Promise<Cost> {
    const answer = once(this.#host, "message");
    this.#host.send("cost");
    const [message] = (await answer) as [HostMessage];
    if (message.type !== "cost") throw new Error("A vault's host did not report its agents' cost.");
    return message.cost;
  }

  async remove(): Promise<void> {
    const ended = once(this.#host, "exit");
    this.#host.send("stop");
    await ended;
  }
}
