/** Clients that write, overwrite, delete and read, and record the answers in a ledger. */
import { setTimeout as delay } from "node:timers/promises";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { readBody } from "./client.ts";
import { type Content, contentBody, Ledger, type MakeBody } from "./ledger.ts";
import { isConnectionError, isUnavailable, retryWhileUnavailable } from "./retry-requests.ts";
import { until } from "./wait-until.ts";

export interface LoadOptions {
  readonly s3: S3Client;
  readonly bucket: string;
  readonly concurrency?: number;
  /** Number of keys that belong to each client alone, so that the order of the writes to a key is known. */
  readonly keysPerClient?: number;
  /** Prefix of its keys, which no other load uses. */
  readonly prefix?: string;
  /** Body of an upload, and the requests that upload it. */
  readonly makeBody?: MakeBody;
  readonly upload?: (object: {
    readonly Bucket: string;
    readonly Key: string;
    readonly Body: Buffer;
  }) => Promise<unknown>;
  /** Pause between two requests of a client. */
  readonly pauseMs?: number;
  /** Writes objects only: deletes, reads and lists none. */
  readonly uploadsOnly?: boolean;
  /** If true, each client also lists its keys, and complains about a missing one. */
  readonly lists?: boolean;
  /** Accepts every 503 answer, regardless of its code. */
  readonly acceptsUnavailable?: boolean;
  /** Called for every request when it has ended. */
  readonly observe?: (request: ObservedRequest) => void;
}

export interface ObservedRequest {
  readonly verb: "write" | "read";
  /** `refused`: the client is asked to retry; `unreachable`: there was no answer. */
  readonly outcome: "done" | "refused" | "unreachable" | "failed";
  readonly startedMs: number;
  readonly endedMs: number;
}

/** Longest wait for the next acknowledged write. */
const PROGRESS_WITHIN_MS = 60_000;
/** Long enough to leave processor time to recovery and to other tests; every fault still meets requests. */
const PAUSE_MS = 60;
/** Short enough for the crash of a process to meet requests in progress. */
export const PAUSE_BEFORE_CRASHES_MS = 10;
const PAUSE_AFTER_FAILURE_MS = 20;
/** Pods that wait for a stash server accept no uploads for a minute. */
const WRITTEN_AGAIN_WITHIN_MS = 60_000;

const usual = {
  concurrency: 4,
  keysPerClient: 25,
  prefix: "client-",
  makeBody: contentBody,
  pauseMs: PAUSE_MS,
  lists: false,
  uploadsOnly: false,
  acceptsUnavailable: false,
  observe: () => {},
};

export class Load {
  readonly ledger: Ledger;
  readonly #options: Required<LoadOptions>;
  /** Wrong bytes, and errors that no client should see. */
  readonly #complaints: string[] = [];
  readonly #refusals = { busy: 0, unreachable: 0 };
  #clients: Promise<void>[] = [];
  #isRunning = false;
  #serial = 0;

  constructor(options: LoadOptions) {
    const upload: LoadOptions["upload"] = (object) => options.s3.send(new PutObjectCommand(object));
    this.#options = { ...usual, upload, ...options };
    this.ledger = new Ledger(this.#options.makeBody);
  }

  get bucket(): string {
    return this.#options.bucket;
  }

  get complaints(): readonly string[] {
    return this.#complaints;
  }

  /** Number of answers 503 SlowDown so far. */
  get busyCount(): number {
    return this.#refusals.busy;
  }

  start(): void {
    this.#isRunning = true;
    const { concurrency } = this.#options;
    this.#clients = Array.from({ length: concurrency }, (_, client) => this.#run(client));
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#clients);
  }

  /** Resolves when this many writes have been acknowledged since the call. */
  async progress(count: number): Promise<void> {
    const { ledger } = this;
    const target = ledger.acknowledgedCount + count;
    while (ledger.acknowledgedCount < target) {
      const before = ledger.acknowledgedCount;
      await until(
        `the next of ${target - before} more writes is acknowledged`,
        () => ledger.acknowledgedCount > before,
        PROGRESS_WITHIN_MS,
        () => ({ ...this.#refusals, complaints: this.#complaints }),
      );
    }
  }

  async #run(client: number): Promise<void> {
    const { keysPerClient, prefix, pauseMs, lists, uploadsOnly } = this.#options;
    for (let turn = 0; this.#isRunning; turn += 1) {
      const key = `${prefix}${client}/${(turn * 7) % keysPerClient}`;
      if (lists && turn % 13 === 12) await this.#checkList(`${prefix}${client}/`);
      if (turn % 5 === 4 && !uploadsOnly) await this.#check(key);
      else if (turn % 11 === 10 && !uploadsOnly) await this.#write(key, { type: "nothing" });
      else await this.#write(key, { type: "body", serial: ++this.#serial });
      await delay(pauseMs);
    }
  }

  async #write(Key: string, content: Content): Promise<void> {
    const { s3, bucket: Bucket, makeBody, upload } = this.#options;
    const startedMs = performance.now();
    try {
      if (content.type === "nothing") await s3.send(new DeleteObjectCommand({ Bucket, Key }));
      else await upload({ Bucket, Key, Body: makeBody(Key, content.serial) });
      this.ledger.acknowledged(Key, content);
      this.#tell("write", "done", startedMs);
    } catch (error) {
      this.ledger.failed(Key, content);
      await this.#excuse("write", error as Error, startedMs);
    }
  }

  async #rewrite(key: string): Promise<void> {
    const isWritten = async () => {
      await this.#write(key, { type: "body", serial: ++this.#serial });
      return !this.ledger.isUncertain(key);
    };
    await until(`${key} can be written again`, isWritten, WRITTEN_AGAIN_WITHIN_MS);
  }

  async #check(key: string): Promise<void> {
    const startedMs = performance.now();
    try {
      const complaint = this.ledger.judge(key, await this.#read(key));
      if (complaint !== null) this.#complaints.push(complaint);
      this.#tell("read", "done", startedMs);
    } catch (error) {
      await this.#excuse("read", error as Error, startedMs);
    }
  }

  async #checkList(prefix: string): Promise<void> {
    const startedMs = performance.now();
    try {
      const listed = new Set(await this.#list(prefix));
      const missing = this.ledger.presentKeys.filter((key) => key.startsWith(prefix) && !listed.has(key));
      if (missing.length > 0) this.#complaints.push(`A list lacks ${missing.join(", ")}.`);
    } catch (error) {
      await this.#excuse("read", error as Error, startedMs);
    }
  }

  /** Resolves with null if the object does not exist. */
  async #read(Key: string): Promise<Buffer | null> {
    const { s3, bucket: Bucket } = this.#options;
    try {
      return await readBody((await s3.send(new GetObjectCommand({ Bucket, Key }))).Body);
    } catch (error) {
      if ((error as Error).name === "NoSuchKey") return null;
      throw error;
    }
  }

  /** Accepts a request to retry, and a missing answer; anything else is an error of the vault. */
  async #excuse(verb: ObservedRequest["verb"], error: Error, startedMs: number): Promise<void> {
    const isRefused = error.name === "SlowDown" || (this.#options.acceptsUnavailable && isUnavailable(error));
    const outcome = isConnectionError(error) ? "unreachable" : isRefused ? "refused" : "failed";
    if (outcome === "refused") this.#refusals.busy += 1;
    else if (outcome === "unreachable") this.#refusals.unreachable += 1;
    else this.#complaints.push(`${error.name}: ${error.message}`);
    this.#tell(verb, outcome, startedMs);
    await delay(PAUSE_AFTER_FAILURE_MS);
  }

  #tell(verb: ObservedRequest["verb"], outcome: ObservedRequest["outcome"], startedMs: number): void {
    this.#options.observe({ verb, outcome, startedMs, endedMs: performance.now() });
  }

  /**
   * Reads every key back and lists all keys, retrying while the vault asks for it; returns what is wrong. While a stash
   * server is lost, the outcome of an upload interrupted by a power cut may be undecidable, and its key unreadable
   * until it is rewritten. `rewritesUndecided` rewrites only these keys.
   */
  async verify({ rewritesUndecided = false } = {}): Promise<string[]> {
    const { concurrency } = this.#options;
    const wrong: string[] = [];
    const keys = this.ledger.keys;
    const check = async (): Promise<void> => {
      for (let key = keys.shift(); key !== undefined; key = keys.shift()) {
        const read = () => retryWhileUnavailable(`${key} can be read`, () => this.#read(key));
        const mayRewrite = rewritesUndecided && this.ledger.isUncertain(key);
        const { value } = await (mayRewrite ? read().catch(() => this.#rewrite(key).then(read)) : read());
        const complaint = this.ledger.judge(key, value);
        if (complaint !== null) wrong.push(complaint);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, check));
    const listed = new Set((await retryWhileUnavailable("the keys can be listed", () => this.#list())).value);
    const present = this.ledger.presentKeys;
    const missing = present.filter((key) => !listed.has(key));
    if (missing.length > 0) wrong.push(`The list lacks ${missing.join(", ")}.`);
    if (listed.size > present.length)
      wrong.push(`The list has ${listed.size} keys instead of ${present.length}.`);
    return [...this.#complaints, ...wrong];
  }

  async #list(prefix = this.#options.prefix): Promise<string[]> {
    const { s3, bucket: Bucket } = this.#options;
    const keys: string[] = [];
    for (let StartAfter = ""; ; ) {
      const page = new ListObjectsV2Command({ Bucket, Prefix: prefix, StartAfter, MaxKeys: 20 });
      const { Contents = [], IsTruncated } = await s3.send(page);
      keys.push(...Contents.map(({ Key = "" }) => Key));
      if (IsTruncated !== true) return keys;
      StartAfter = keys.at(-1) ?? "";
    }
  }
}
