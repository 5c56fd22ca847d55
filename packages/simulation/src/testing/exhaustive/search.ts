/**
 * Searches everything that two uploads can do to a vault of three pods, in every order, with a power cut after every
 * event.
 *
 * A breadth-first search takes every event that can happen next: a client begins, a message arrives, a medium ends a
 * sync, a timer fires. Visited states are not entered again, so the path to a violation is a shortest one. In every
 * state the media are judged (S1, S3, S4), and the power is cut: each image that the media may then have is recovered
 * to rest (recovery.ts), with another power cut after each event of the recovery, recursively, until no new image turns
 * up. Clients read, head and list during and after each recovery (S2, S5, S7), and at rest every object is whole.
 *
 * # What is merged, and why nothing can hide there
 *
 * - *A power cut forgets* machines and messages. So recovery depends on the media and on the answers that clients
 *   received, and each such image is recovered once, regardless of the names of its pods and devices (power-cut.ts).
 * - *A lost message* is one that the power cut precedes, or one to a node that is silent (scenarios.ts).
 * - *Prompt messages* (scenario.ts) arrive with the event that sent them. A later answer would leave the media as they
 *   are, delay the coordinator's reaction, whose messages are late anyway, and leave the client with fewer promises; a
 *   recovery that keeps more promises from the same media also keeps fewer. An append that reaches its stash device
 *   later equals one that is committed later, in any order. A purge or a discard that comes later equals one whose kill
 *   has not reached the medium, which a power cut may undo. The remaining cases of lateness, a purge that overtakes its
 *   append or an answer that overtakes another, are covered by the scenario in which every message is late.
 * - *A write to a page cache* is answered at once: a power cut between the write and its answer finds the same state as
 *   one before or after both.
 * - *Clocks* are per node, and a timer moves only its node's; several timers may fire in any order. Machines only
 *   compare moments with their clock, so states that differ in nothing else are equal (canonical-text.ts).
 *
 * # What is not searched here, and left to the random simulation
 *
 * - Timers fire when nothing else is in progress, or where a scenario lets them race; so a coordinator that gives up
 *   while answers are on their way does not occur. Greetings, offers and questions about outcomes, which repeat
 *   forever, belong to recovery.
 * - Questions that a coordinator asks of the stash arrive at once, in some scenarios those it asks of pods too; and
 *   recovery has one schedule, a fair one.
 * - One coordinator; nodes that restart one at a time; duplicated messages; failed syncs (S6) and other faults of
 *   media; reads before the power cut; and on the stash path, concurrent uploads of one key with all nodes up.
 */
import assert from "node:assert/strict";
import { nodeAddress } from "./addresses.ts";
import { Catalogue } from "./catalogue.ts";
import { CrashSite } from "./crash-site.ts";
import { judgeDurability, judgeKill, tombstonesOn } from "./judge.ts";
import { Broken, beginRead, emptyLedger, type Ledger, learn, ledgerNumber } from "./ledger.ts";
import { type Machines, realMachines } from "./machines.ts";
import { type NamedEvent, named } from "./named-event.ts";
import type { Node } from "./node.ts";
import type { MediumRecord } from "./node-medium.ts";
import { Media } from "./power-cut.ts";
import { restingVault } from "./resting-vault.ts";
import { type Scenario, scenarioUploadId, toRequests } from "./scenario.ts";

export interface Explored {
  readonly stateCount: number;
  readonly transitionCount: number;
  /** Power cuts in states that differ in their media or in the answers that clients received. */
  readonly cutCount: number;
  /** Images of the media after a power cut, before or during a recovery; each was recovered to rest. */
  readonly imageCount: number;
  readonly recoveryEventCount: number;
}

interface World {
  readonly nodeIds: readonly number[];
  /** Messages in flight, lowest number first; equal ones are listed twice. */
  readonly flights: readonly number[];
  /** Requests that clients have not begun yet. */
  readonly open: readonly number[];
  readonly ledger: Ledger;
}

interface Move extends NamedEvent {
  readonly nodeIndex: number;
  readonly flight: number | null;
  readonly request: number | null;
}

/** A state, and the move that first led to it. The search is breadth-first, so no path to it is shorter. */
interface Reached {
  readonly world: World;
  readonly before: Reached | null;
  readonly move: Move | null;
}

const SEARCHED_TIMERS = ["put:", "read:", "resolve:", "flush", "purge"];

export function explore(scenario: Scenario, machines: Machines = realMachines): Explored {
  return new Search(scenario, machines).run();
}

class Search {
  readonly #scenario: Scenario;
  readonly #catalogue: Catalogue;
  readonly #site: CrashSite;
  readonly #requests: readonly NamedEvent[];
  readonly #met = new Set<string>();
  #transitionCount = 0;

  constructor(scenario: Scenario, machines: Machines) {
    this.#scenario = scenario;
    const isUsed = (key: string) => SEARCHED_TIMERS.some((prefix) => key.startsWith(prefix));
    const media = new Media();
    this.#catalogue = new Catalogue(machines, media, scenario.promptMessages, isUsed);
    this.#site = new CrashSite(scenario, machines, media);
    this.#requests = toRequests(scenario).map((request) => named({ type: "request", request }));
  }

  run(): Explored {
    const nodes = restingVault(this.#scenario.isStashEnabled);
    const world: World = {
      nodeIds: nodes.map((node) => this.#catalogue.idOfNode(node)),
      flights: [],
      open: this.#requests.map((_, index) => index),
      ledger: emptyLedger,
    };
    this.#enter(world);
    let front: Reached[] = [{ world, before: null, move: null }];
    while (front.length > 0) front = front.flatMap((reached) => this.#leave(reached));
    return {
      stateCount: this.#met.size,
      transitionCount: this.#transitionCount,
      cutCount: this.#site.cutCount,
      imageCount: this.#site.imageCount,
      recoveryEventCount: this.#site.eventCount,
    };
  }

  /** Returns the new states that are one event further. */
  #leave(before: Reached): Reached[] {
    const next: Reached[] = [];
    for (const move of this.#moves(before.world)) {
      this.#transitionCount += 1;
      try {
        const world = this.#take(before.world, move);
        if (this.#enter(world)) next.push({ world, before, move });
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
        throw new Broken(renderPath(error.message, { world: before.world, before, move }), { cause: error });
      }
    }
    return next;
  }

  /** Judges a newly found state and cuts its power; returns false for a known state. */
  #enter({ nodeIds, flights, open, ledger }: World): boolean {
    const key = `${nodeIds};${flights};${open};${ledgerNumber(ledger)}`;
    if (this.#met.has(key)) return false;
    this.#met.add(key);
    const storage = nodeIds.slice(1).map((nodeId) => this.#catalogue.node(nodeId));
    this.#site.cutPower(storage, ledger);
    return true;
  }

  #moves(world: World): Move[] {
    const { nodeIds, flights, open } = world;
    const moves: Move[] = [];
    flights.forEach((flight, place) => {
      if (flights[place - 1] === flight) return;
      const { to, ...event } = this.#catalogue.flight(flight);
      moves.push({ ...event, nodeIndex: to, flight, request: null });
    });
    const known = nodeIds.map((nodeId) => this.#catalogue.node(nodeId));
    const own = (nodeIndex: number, event: NamedEvent) => {
      if (!this.#isDown(nodeIndex)) moves.push({ ...event, nodeIndex, flight: null, request: null });
    };
    known.forEach(({ mediumEvents }, i) => {
      for (const event of mediumEvents) own(i, event);
    });
    const isQuiet = moves.length === 0;
    known.forEach(({ timers }, i) => {
      for (const timer of timers) {
        if (isQuiet || this.#scenario.racingTimers.some((prefix) => timer.key.startsWith(prefix)))
          own(i, timer);
      }
    });
    for (const request of open) {
      const event = this.#requests[request];
      assert(event);
      if (this.#mayBegin(request, world)) moves.push({ ...event, nodeIndex: 0, flight: null, request });
    }
    return moves;
  }

  #mayBegin(request: number, { open, ledger }: World): boolean {
    const { uploads, begin } = this.#scenario;
    const before = uploads[request - 1];
    if (request >= uploads.length || before === undefined || begin === "free") return true;
    if (begin === "in order") return !open.includes(request - 1);
    return ledger.promised.some(({ uploadId }) => uploadId === scenarioUploadId(before));
  }

  #take(world: World, move: Move): World {
    const nodeIds = [...world.nodeIds];
    const flights = move.flight === null ? [...world.flights] : without(world.flights, move.flight);
    const open =
      move.request === null ? world.open : world.open.filter((request) => request !== move.request);
    let { ledger } = world;
    if (move.event.type === "request" && move.event.request.type === "get") {
      ledger = beginRead(ledger, move.event.request.token, move.event.request.key);
    }
    const todo: (NamedEvent & { readonly nodeIndex: number })[] = [move];
    for (let next = todo.shift(); next; next = todo.shift()) {
      const step = this.#catalogue.step(next.nodeIndex, nodeIds[next.nodeIndex] ?? -1, next);
      nodeIds[next.nodeIndex] = step.nodeId;
      for (const answer of step.answers) {
        ledger = learn(ledger, this.#scenario, answer, tombstonesOn(this.#nodesOf(nodeIds)));
      }
      if (step.kills.length > 0) this.#judgeKills(this.#nodesOf(nodeIds), next.nodeIndex, step.kills, ledger);
      for (const flight of step.sends) {
        const { to, isPrompt, ...event } = this.#catalogue.flight(flight);
        if (this.#isDown(to)) continue;
        if (isPrompt) todo.push({ ...event, nodeIndex: to });
        else flights.push(flight);
      }
    }
    flights.sort((a, b) => a - b);
    return { nodeIds, flights, open, ledger };
  }

  #isDown(nodeIndex: number): boolean {
    return this.#scenario.down.includes(nodeAddress(nodeIndex));
  }

  #nodesOf(nodeIds: readonly number[]): Node[] {
    return nodeIds.map((nodeId) => this.#catalogue.node(nodeId).node);
  }

  #judgeKills(
    nodes: readonly Node[],
    nodeIndex: number,
    kills: readonly MediumRecord[],
    ledger: Ledger,
  ): void {
    const killer = nodes[nodeIndex];
    assert(killer);
    for (const record of kills) judgeKill(nodes, ledger, killer, record);
    judgeDurability(nodes, ledger);
  }
}

function without(flights: readonly number[], flight: number): number[] {
  const place = flights.indexOf(flight);
  return flights.filter((_, i) => i !== place);
}

/** Describes the violation and the moves that led to it. */
function renderPath(complaint: string, end: Reached): string {
  const moves: string[] = [];
  for (let at: Reached | null = end; at?.move; at = at.before) {
    moves.unshift(`${nodeAddress(at.move.nodeIndex)}: ${at.move.words}`);
  }
  const lines = [complaint, ...moves.map((move, i) => `  ${i + 1}. ${move}`)];
  return lines.join("\n").replaceAll(/([0-9a-z])\1{31}/g, "$1");
}
