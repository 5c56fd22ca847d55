/**
 * Recovers a vault from a power cut until it is at rest, by one fixed and fair schedule: messages and media in order of
 * arrival, timers when nothing else is left. Clients read from the first moment, and once more at rest. Power may fail
 * again after each event, so every intermediate state of the media is passed to `onMedia`.
 */
import assert from "node:assert/strict";
import type { CoordinatorEvent, UploadHeader } from "@stashlight/write-path";
import { nodeAddress, toNodeIndex } from "./addresses.ts";
import { judgeKill, tombstonesOn } from "./judge.ts";
import { answerSightings, Broken, type Ledger, see } from "./ledger.ts";
import type { Machines } from "./machines.ts";
import {
  coordinatorNode,
  type Kept,
  type Node,
  type NodeEvent,
  podNode,
  stashNode,
  stepNode,
} from "./node.ts";
import { possibleMediumEvents } from "./node-medium.ts";
import type { Image, Media, Stored } from "./power-cut.ts";
import { BUCKET, POD_COUNT, type Scenario } from "./scenario.ts";

/** Later than every moment that the search before the power cut uses, as a wall clock would be. */
const POWER_ON_MS = 1_000_000;
const REST_WITHIN_MS = 200_000;
/** No message is lost here, so greeting again would have no effect. */
const TIMERS_LEFT_OUT = new Set(["greet"]);

export function createNodes(kept: readonly Kept[], isStashEnabled: boolean): Node[] {
  const nodes = kept.map((each, i) => (i < POD_COUNT ? podNode(i, each) : stashNode(i - POD_COUNT, each)));
  return [coordinatorNode(isStashEnabled), ...nodes];
}

type OnMedia = (storage: readonly Stored[], ledger: Ledger) => void;

export class Recovery {
  readonly nodes: readonly Node[];
  ledger: Ledger;
  eventCount = 0;
  readonly #scenario: Scenario;
  readonly #machines: Machines;
  readonly #media: Media;
  readonly #onMedia: OnMedia;
  readonly #storage: readonly Stored[];
  readonly #queue: { readonly nodeIndex: number; readonly event: NodeEvent }[] = [];
  readonly #tombstones: readonly UploadHeader[];
  readonly #underWay = new Set<string>();
  readonly #reads = new Map<number, CoordinatorEvent>();
  #nextToken = 1;
  #nowMs = POWER_ON_MS;

  constructor(image: Image, scenario: Scenario, machines: Machines, media: Media, onMedia: OnMedia) {
    this.#scenario = scenario;
    this.#machines = machines;
    this.#media = media;
    this.#onMedia = onMedia;
    this.ledger = image.ledger;
    this.nodes = createNodes(image.kept, scenario.isStashEnabled);
    this.#storage = this.nodes.slice(1).map((node) => ({ node, medium: media.idOf(node) }));
    this.#tombstones = tombstonesOn(this.nodes);
    this.nodes.forEach((_, nodeIndex) => {
      this.#queue.push({ nodeIndex, event: { type: "start", bootId: 2 } });
    });
  }

  /** Brings the vault to rest; throws Broken if a promise is not kept. */
  toRest(): void {
    this.#readEverything();
    this.#runUntil(() => this.#isAtRest());
    this.#readEverything();
    this.#runUntil(() => this.#isAtRest());
    this.#judgeRest();
  }

  #readEverything(): void {
    for (const key of new Set(this.#scenario.uploads.map((upload) => upload.key))) {
      this.#read({ type: "get", token: this.#nextToken++, bucket: BUCKET, key, headOnly: false });
      this.#read({ type: "get", token: this.#nextToken++, bucket: BUCKET, key, headOnly: true });
    }
    const range = { prefix: "", after: "", keyCountMax: 10, delimiter: "" };
    this.#read({ type: "list", token: this.#nextToken++, bucket: BUCKET, ...range });
  }

  #read(request: Extract<CoordinatorEvent, { token: number }>): void {
    this.#reads.set(request.token, request);
    this.#queue.push({ nodeIndex: 0, event: { type: "request", request } });
  }

  #isAtRest(): boolean {
    return (
      this.#queue.length === 0 &&
      this.#reads.size === 0 &&
      this.nodes.every((node) => {
        if (node.kind === "stash") return node.machine.entries.size === 0;
        if (node.kind === "coordinator") return node.machine.resolutions.size === 0;
        return node.machine.lifecycle === "settled" && node.machine.unresolved.size === 0;
      })
    );
  }

  #runUntil(isDone: () => boolean): void {
    while (!isDone()) {
      const next = this.#queue.shift();
      if (next) this.#step(next.nodeIndex, next.event);
      else this.#fireTimer();
    }
  }

  #fireTimer(): void {
    let first: { nodeIndex: number; key: string; dueMs: number } | null = null;
    this.nodes.forEach(({ timers }, nodeIndex) => {
      for (const [key, dueMs] of timers) {
        if (TIMERS_LEFT_OUT.has(key)) continue;
        if (first === null || dueMs < first.dueMs) first = { nodeIndex, key, dueMs };
      }
    });
    const due = first as { nodeIndex: number; key: string; dueMs: number } | null;
    if (due === null || due.dueMs > POWER_ON_MS + REST_WITHIN_MS) {
      throw new Broken(`liveness: no rest within ${REST_WITHIN_MS / 1000} s after the power came back.`);
    }
    this.#nowMs = Math.max(this.#nowMs, due.dueMs);
    this.#step(due.nodeIndex, { type: "timer", key: due.key });
  }

  #step(nodeIndex: number, event: NodeEvent): void {
    const node = this.nodes[nodeIndex];
    assert(node);
    this.eventCount += 1;
    node.nowMs = this.#nowMs;
    this.#underWay.delete(eventName(nodeIndex, event));
    const before = this.ledger;
    const { revision } = node;
    const { sends, answers, kills, halts } = stepNode(node, event, this.#machines);
    if (halts.length > 0) throw new Broken(`a node halted: ${halts[0]}`);
    for (const answer of answers) this.#learn(answer);
    for (const record of kills) judgeKill(this.nodes, this.ledger, node, record);
    for (const { to, message } of sends) {
      const from = nodeAddress(nodeIndex);
      this.#queue.push({ nodeIndex: toNodeIndex(to), event: { type: "message", from, message } });
    }
    for (const next of possibleMediumEvents(node)) {
      const name = eventName(nodeIndex, next);
      if (this.#underWay.has(name)) continue;
      this.#underWay.add(name);
      this.#queue.push({ nodeIndex, event: next });
    }
    if (node.revision === revision && this.ledger === before) return;
    const stored = this.#storage[nodeIndex - 1];
    if (stored) stored.medium = this.#media.idOf(node);
    this.#onMedia(this.#storage, this.ledger);
  }

  #learn(answer: Parameters<typeof answerSightings>[1]): void {
    const request = this.#reads.get(answer.token);
    if (!request) throw new Broken(`accounting: the question ${answer.token} was answered twice.`);
    const key = request.type === "get" ? request.key : null;
    const sightings = answerSightings(this.#scenario, answer, key);
    if (sightings === null) {
      // An answer to retry later is valid, and clients do retry.
      this.#queue.push({ nodeIndex: 0, event: { type: "request", request } });
      return;
    }
    this.#reads.delete(answer.token);
    for (const sighting of sightings) this.ledger = see(this.ledger, sighting, this.#tombstones);
  }

  /** Checks that every key is back to n of n, and that the stash is empty. */
  #judgeRest(): void {
    for (const [key, uploadId] of this.ledger.seen) {
      if (uploadId === null) continue;
      const holders = this.nodes.filter(
        ({ kind, records }) =>
          kind === "pod" &&
          records.some(({ shard, state }) => state === "durable" && shard.upload.uploadId === uploadId),
      );
      if (holders.length < POD_COUNT) {
        throw new Broken(`liveness: ${key} rests on ${holders.length} pods instead of ${POD_COUNT}.`);
      }
    }
  }
}

function eventName(nodeIndex: number, event: NodeEvent): string {
  const about =
    event.type === "promiseSynced" ? event.uploadId : event.type === "committed" ? event.position : "";
  return `${nodeIndex} ${event.type} ${about}`;
}
