/**
 * Uploads over many connections with one access key; each connection starts the next upload after the answer to the
 * last. Records what matters to clients under overload: status, code, and Retry-After.
 */
import { Agent, request } from "node:http";
import { signHeaders, timestampOf } from "@stashlight/s3/client";
import type { TestVault } from "./vault.ts";

export interface FloodKey {
  readonly id: string;
  readonly secret: string;
}

export interface FloodAnswer {
  readonly status: number;
  readonly code: string | null;
  readonly retryAfter: string | null;
  /** Number of uploads sent before this one and answered after it. */
  readonly overtakenCount: number;
}

export class Flood {
  readonly answers: FloodAnswer[] = [];
  readonly #vault: TestVault;
  readonly #key: FloodKey;
  readonly #bucket: string;
  readonly #body: Buffer;
  readonly #agent: Agent;
  /** Numbers of the unanswered uploads, in order. */
  readonly #open = new Set<number>();
  #sentCount = 0;
  #isOver = false;

  constructor(vault: TestVault, { key, bucket, bytes }: { key: FloodKey; bucket: string; bytes: number }) {
    this.#vault = vault;
    this.#key = key;
    this.#bucket = bucket;
    this.#body = Buffer.alloc(bytes, 1);
    this.#agent = new Agent({ keepAlive: true });
  }

  count(status: number): number {
    return this.answers.filter((answer) => answer.status === status).length;
  }

  /** Resolves after `end` was called and the last answer has arrived. */
  async run(connectionCount: number): Promise<void> {
    await Promise.all(Array.from({ length: connectionCount }, (_, client) => this.#upload(client)));
    this.#agent.destroy();
  }

  end(): void {
    this.#isOver = true;
  }

  async #upload(client: number): Promise<void> {
    while (!this.#isOver) await this.put(`flood/${this.#key.id}/${client}`);
  }

  async put(name: string): Promise<FloodAnswer> {
    const number = this.#sentCount++;
    this.#open.add(number);
    const answer = await this.#send(name);
    this.#open.delete(number);
    let overtakenCount = 0;
    for (const other of this.#open) if (other < number) overtakenCount += 1;
    const kept = { ...answer, overtakenCount };
    this.answers.push(kept);
    return kept;
  }

  #send(name: string): Promise<Omit<FloodAnswer, "overtakenCount">> {
    const path = `/${this.#bucket}/${name}`;
    const timestamp = timestampOf(Date.now());
    const plain = {
      host: `127.0.0.1:${this.#vault.s3Port}`,
      "x-amz-date": timestamp,
      "x-amz-content-sha256": "UNSIGNED-PAYLOAD",
    };
    const { headers } = signHeaders({ method: "PUT", url: path, headers: plain, key: this.#key, timestamp });
    return new Promise((resolve, reject) => {
      const sent = request({
        agent: this.#agent,
        method: "PUT",
        host: "127.0.0.1",
        port: this.#vault.s3Port,
        path,
        headers: { ...headers, "content-length": this.#body.length },
      });
      sent.once("error", reject);
      sent.once("response", (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => {
          text += piece;
        });
        response.once("end", () => {
          const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? null;
          const retryAfter = response.headers["retry-after"] ?? null;
          resolve({ status: response.statusCode ?? 0, code, retryAfter });
        });
      });
      sent.end(this.#body);
    });
  }
}
