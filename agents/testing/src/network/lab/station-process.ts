/** The test's side of a station (station.ts). */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { execPath } from "node:process";
import type { NodeHealth } from "../../harness/health.ts";
import type { ObservedRequest } from "../../harness/load-clients.ts";
import { until } from "../../harness/wait-until.ts";
import type { StationAnswer, StationRequest, StationSettings } from "./station.ts";

const PROGRESS_WITHIN_MS = 60_000;

export class StationProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #nextId = 0;

  constructor(commandBefore: readonly string[], settings: StationSettings) {
    const [command = execPath, ...before] = [...commandBefore, execPath];
    const args = [...before, join(import.meta.dirname, "station.ts"), JSON.stringify(settings)];
    this.#child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#child.on("message", ({ id, value, error }: StationAnswer) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(value);
      else waiting?.reject(new Error(error));
    });
    this.#child.once("exit", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("The client's machine ended."));
    });
  }

  async #ask<Value>(request: StationRequest): Promise<Value> {
    const id = this.#nextId++;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#child.send({ id, request });
    return (await waiting.promise) as Value;
  }

  prepare(): Promise<void> {
    return this.#ask({ type: "prepare" });
  }

  startLoad(): Promise<void> {
    return this.#ask({ type: "start" });
  }

  /** Resolves when every request has ended. */
  stopLoad(): Promise<void> {
    return this.#ask({ type: "stop" });
  }

  /** Reads back everything that the load has written, and returns what is wrong. */
  verify(): Promise<string[]> {
    return this.#ask({ type: "verify" });
  }

  /** Returns the requests that ended since the previous call. */
  requests(): Promise<ObservedRequest[]> {
    return this.#ask({ type: "requests" });
  }

  /** Resolves when this many writes have been acknowledged since the call. */
  async progress(count: number): Promise<void> {
    const look = () => this.#ask<number>({ type: "acknowledgedCount" });
    const target = (await look()) + count;
    await until(
      `${count} more writes are acknowledged`,
      async () => (await look()) >= target,
      PROGRESS_WITHIN_MS,
    );
  }

  /** Resolves with null if the node does not answer this machine. */
  async health(nodeId: string): Promise<NodeHealth | null> {
    const answer = await this.#ask<{ body: NodeHealth } | null>({ type: "admin", nodeId, path: "/healthz" });
    return answer?.body ?? null;
  }

  async isReady(nodeId: string): Promise<boolean> {
    const answer = await this.#ask<{ status: number } | null>({ type: "admin", nodeId, path: "/readyz" });
    return answer?.status === 200;
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}
