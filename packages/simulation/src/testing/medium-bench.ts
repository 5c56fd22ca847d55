/** A single medium on a virtual clock, with a node that logs its answers; for the tests of this folder. */

import assert from "node:assert/strict";
import { PageMemory } from "@stashlight/paged-memory";
import { checksum, type ShardAnswers } from "@stashlight/shard-store";
import { createRandom } from "@stashlight/stats/forkable-random";
import { formatOrder, type Shard } from "@stashlight/write-path";
import { Counters } from "../counters.ts";
import { EventQueue } from "../event-queue.ts";
import { LogMedium } from "../medium/log-medium.ts";
import type {
  MediaWitness,
  Medium,
  MediumAnswers,
  MediumOptions,
  Position,
  Recovered,
} from "../medium/medium.ts";

export function makeShard(number: number, text = `body ${number}`): Shard {
  const payload = new TextEncoder().encode(text);
  const upload = {
    uploadId: number.toString(16).padStart(32, "0"),
    kind: payload.length === 0 ? ("tombstone" as const) : ("object" as const),
    bucket: "vault",
    key: `schlüssel ${number}`,
    order: formatOrder(number + 1, 0, 3),
    scheme: { dataShardCount: 4, parityShardCount: 2 },
    sizeBytes: 400,
    etag: `etag-${number}`,
    contentType: "text/plain",
    userMetadata: { colour: "rot, grün" },
    epoch: 7,
  };
  return { upload, shardIndex: 2, payload, payloadCrc: checksum(payload) };
}

export const uploadIdFor = (number: number): string => makeShard(number).upload.uploadId;

export class MediumBench {
  readonly queue = new EventQueue();
  readonly counters = new Counters();
  readonly medium: Medium;
  /** Notifications that the oracle received, one line each. */
  readonly told: string[] = [];
  /** Notifications that the node received and that the test has not read yet. */
  heard: string[] = [];
  readonly positions = new Map<string, Position[]>();
  readonly loads: (Shard | null)[] = [];
  /** Copies that the oracle counts; never below zero, as its accounting demands. */
  readonly durable = new Map<string, number>();

  readonly #place: "pod" | "stash";

  constructor(
    place: "pod" | "stash",
    seed = 1,
    MediumOfBench: new (options: MediumOptions) => Medium = LogMedium,
    capacityBytes: number | null = null,
  ) {
    this.#place = place;
    this.medium = new MediumOfBench({
      queue: this.queue,
      random: createRandom(seed),
      indexRandom: createRandom(1),
      counters: this.counters,
      witness: this.#witness(),
      isGroupCommit: place === "stash",
      capacityBytes,
      writeUs: 10,
      syncUs: 1000,
    });
  }

  #witness(): MediaWitness {
    const count = (name: string, change: number): void => {
      const copies = (this.durable.get(name) ?? 0) + change;
      assert(copies >= 0, `More copies of ${name} are gone than there were.`);
      this.durable.set(name, copies);
    };
    return {
      durable: ({ upload }) => {
        count(upload.uploadId, 1);
        this.told.push(`durable ${Number.parseInt(upload.uploadId, 16)}`);
      },
      killed: (uploadId, _shardIndex, wasDurable) => {
        if (wasDurable) count(uploadId, -1);
        this.told.push(`killed ${Number.parseInt(uploadId, 16)}${wasDurable ? "" : " early"}`);
      },
      retracted: (uploadId) => {
        count(uploadId, -1);
        this.told.push(`retracted ${Number.parseInt(uploadId, 16)}`);
      },
      lost: (uploadId) => {
        count(uploadId, -1);
        this.told.push(`lost ${Number.parseInt(uploadId, 16)}`);
      },
      lied: ({ upload }) => this.told.push(`lied ${Number.parseInt(upload.uploadId, 16)}`),
      syncFailed: () => this.told.push("sync failed"),
      remembered: () => {},
      violated: (property, sentence) => this.told.push(`${property}: ${sentence}`),
    };
  }

  #answersOf(machine: MediumAnswers["machine"]): MediumAnswers {
    const shardAnswers: ShardAnswers = {
      appended: (uploadId, _shardIndex, position) => {
        this.positions.set(uploadId, [...(this.positions.get(uploadId) ?? []), position]);
        this.heard.push(`appended ${Number.parseInt(uploadId, 16)}`);
      },
      appendFailed: (uploadId, _shardIndex, reason) =>
        this.heard.push(`${reason} ${Number.parseInt(uploadId, 16)}`),
      corrupt: (uploadId) => this.heard.push(`corrupt ${Number.parseInt(uploadId, 16)}`),
      unreadable: (uploadId) => this.heard.push(`unreadable ${Number.parseInt(uploadId, 16)}`),
      loaded: (_loadId, read) => this.loads.push(read.type === "shard" ? read.shard : null),
    };
    if (machine === "stash") {
      const occupancy = (isFull: boolean) => this.heard.push(isFull ? "occupied" : "relieved");
      return { machine, ...shardAnswers, occupancy };
    }
    return {
      machine,
      ...shardAnswers,
      flushed: () => this.heard.push("flushed"),
      flushFailed: () => this.heard.push("flush failed"),
      refusalPersisted: (uploadId) => this.heard.push(`refused ${Number.parseInt(uploadId, 16)}`),
      horizonPersisted: (horizon) => this.heard.push(`horizon ${Number.parseInt(horizon, 16)}`),
      room: () => {},
    };
  }

  run(): void {
    while (this.queue.step(Number.POSITIVE_INFINITY));
  }

  start(): Recovered {
    const found: Recovered[] = [];
    this.medium.recover(
      this.#answersOf(this.#place),
      () => new PageMemory(),
      (recovered) => {
        this.positions.clear();
        for (const { upload, position } of recovered.shards) this.positions.set(upload.uploadId, [position]);
        found.push({ ...recovered, shards: [...recovered.shards] });
      },
    );
    this.run();
    const [recovered] = found;
    assert(recovered !== undefined && found.length === 1, "A medium recovers once.");
    return recovered;
  }

  append(...numbers: number[]): void {
    for (const number of numbers) this.medium.append(makeShard(number), "data");
    this.run();
  }

  kill(number: number): void {
    const [position, ...others] = this.positions.get(uploadIdFor(number)) ?? [];
    assert(position !== undefined, "Only what the node holds is killed.");
    if (others.length === 0) this.positions.delete(uploadIdFor(number));
    else this.positions.set(uploadIdFor(number), others);
    this.medium.kill(position);
  }

  load(number: number): Shard | null {
    const [position] = this.positions.get(uploadIdFor(number)) ?? [];
    assert(position !== undefined, "Only what the node holds is loaded.");
    this.medium.load(1, position);
    this.run();
    return this.loads.pop() ?? null;
  }

  get violations(): string[] {
    return this.told.filter((line) => /^S\d/.test(line));
  }
}
