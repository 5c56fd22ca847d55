/**
 * Stores each state of a node and each message once, under a small number. A machine is a function of its state and the
 * event, so a step that was taken once is never computed again.
 */
import type { Message } from "@stashlight/write-path";
import { nodeAddress, toNodeIndex } from "./addresses.ts";
import { canonicalText } from "./canonical-text.ts";
import { deepCopy } from "./copy.ts";
import type { Machines } from "./machines.ts";
import { type NamedEvent, named } from "./named-event.ts";
import { type Answer, type Node, stepNode } from "./node.ts";
import { type MediumRecord, possibleMediumEvents } from "./node-medium.ts";
import type { Media } from "./power-cut.ts";

export interface Flight extends NamedEvent {
  readonly to: number;
  /** The message is delivered together with the event that sent it. */
  readonly isPrompt: boolean;
}

export interface KnownNode {
  readonly node: Node;
  readonly medium: number;
  readonly mediumEvents: readonly NamedEvent[];
  readonly timers: readonly (NamedEvent & { readonly key: string })[];
}

export interface Step {
  readonly nodeId: number;
  readonly sends: readonly number[];
  readonly answers: readonly Answer[];
  readonly kills: readonly MediumRecord[];
}

export class Catalogue {
  readonly #machines: Machines;
  readonly #media: Media;
  readonly #promptMessages: readonly string[];
  /** True for the timers that the search fires; the others repeat forever, and belong to recovery. */
  readonly #isTimerUsed: (key: string) => boolean;
  readonly #nodes: KnownNode[] = [];
  readonly #nodeIds = new Map<string, number>();
  readonly #flights: Flight[] = [];
  readonly #flightIds = new Map<string, number>();
  readonly #steps = new Map<string, Step>();

  constructor(
    machines: Machines,
    media: Media,
    promptMessages: readonly string[],
    isTimerUsed: (key: string) => boolean,
  ) {
    this.#machines = machines;
    this.#media = media;
    this.#promptMessages = promptMessages;
    this.#isTimerUsed = isTimerUsed;
  }

  node(nodeId: number): KnownNode {
    const known = this.#nodes[nodeId];
    if (!known) throw new RangeError(`There is no node state ${nodeId}.`);
    return known;
  }

  flight(flightId: number): Flight {
    const known = this.#flights[flightId];
    if (!known) throw new RangeError(`There is no message ${flightId}.`);
    return known;
  }

  idOfNode(node: Node): number {
    for (const key of node.timers.keys()) if (!this.#isTimerUsed(key)) node.timers.delete(key);
    const timers = [...node.timers].map(([key, dueMs]) => `${key} in ${dueMs - node.nowMs}`);
    const text = `${canonicalText({ ...node, timers: null }, node.nowMs)} ${timers.sort()}`;
    const known = this.#nodeIds.get(text);
    if (known !== undefined) return known;
    const medium = this.#media.idOf(node);
    const searched = [...node.timers.keys()].map((key) => ({ ...named({ type: "timer", key }), key }));
    const mediumEvents = possibleMediumEvents(node).map(named);
    const nodeId = this.#nodes.push({ node, medium, mediumEvents, timers: searched }) - 1;
    this.#nodeIds.set(text, nodeId);
    return nodeId;
  }

  #idOfFlight(from: number, to: number, message: Message): number {
    const flight = named({ type: "message", from: nodeAddress(from), message });
    const text = `${to} ${flight.name}`;
    const known = this.#flightIds.get(text);
    if (known !== undefined) return known;
    const isPrompt = this.#promptMessages.some((prefix) => message.type.startsWith(prefix));
    const flightId = this.#flights.length;
    this.#flights.push({ ...flight, name: `message ${flightId}`, to, isPrompt });
    this.#flightIds.set(text, flightId);
    return flightId;
  }

  step(nodeIndex: number, nodeId: number, { name: eventName, event }: NamedEvent): Step {
    const name = `${nodeId} ${eventName}`;
    const known = this.#steps.get(name);
    if (known) return known;
    const { node } = this.node(nodeId);
    const copy = deepCopy(node);
    const { sends, answers, kills, halts } = stepNode(copy, event, this.#machines);
    if (halts.length > 0) throw new Error(`A node halted: ${halts[0]}.`);
    const step = {
      nodeId: this.idOfNode(copy),
      sends: sends.map(({ to, message }) => this.#idOfFlight(nodeIndex, toNodeIndex(to), message)),
      answers,
      kills,
    };
    this.#steps.set(name, step);
    return step;
  }
}
