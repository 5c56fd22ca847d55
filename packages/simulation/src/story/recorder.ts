/**
 * Listens to a run and writes down facts: what clients asked and heard, what the media really hold, who stopped and
 * started, which fault struck. It hears the simulation, not the nodes' own view of themselves.
 */
import type { Address, Message, UploadHeader, UploadId } from "@stashlight/write-path";
import type { Clients } from "../world/clients.ts";
import type { SimulatedPod, SimulatedStash, World } from "../world/world.ts";
import { type Fact, ShardTracker } from "./facts.ts";
import { spy } from "./spy.ts";
import { nameAll, nameOf } from "./words.ts";

type HeardEvent = { readonly type: string; readonly message?: Message; readonly from?: Address } & Record<
  string,
  unknown
>;

export class Recorder {
  readonly facts: Fact[] = [];
  readonly uploads = new Map<UploadId, ShardTracker>();
  readonly #askedBy = new Map<number, Address>();
  readonly #settled = new Set<string>();
  readonly #committed = new Set<UploadId>();
  #world: World | null = null;
  #isPowerCut = false;
  /** What happened to links at one moment, to be told in few sentences. */
  #links: { readonly what: string; readonly from: Address; readonly to: Address }[] = [];
  #linksUs = 0;

  attach(world: World, clients: Clients): void {
    this.#world = world;
    world.listener = (address, event) => this.#hear(address, event as HeardEvent);
    this.#followMedia(world);
    this.#followNodes(world);
    this.#followNetwork(world);
    this.#followClients(clients);
  }

  /** After the run: what was still being collected. */
  end(): void {
    this.#tellLinks();
  }

  #add(fact: Partial<Fact> & { phrase: string }): void {
    this.#tellLinks();
    this.#push(this.#world?.queue.nowUs ?? 0, fact);
  }

  #push(timeUs: number, fact: Partial<Fact> & { phrase: string }): void {
    const { uploadId = null } = fact;
    const shards = uploadId === null ? null : (this.uploads.get(uploadId)?.picture ?? null);
    this.facts.push({ timeUs, who: [], uploadId, isStep: false, shards, ...fact });
  }

  #step(phrase: string, uploadId: UploadId | null = null, who: readonly Address[] = []): void {
    this.#add({ phrase, uploadId, who, isStep: true });
  }

  #trackerOf(upload: UploadHeader): ShardTracker {
    const known = this.uploads.get(upload.uploadId);
    if (known) return known;
    const tracker = new ShardTracker(upload);
    this.uploads.set(upload.uploadId, tracker);
    return tracker;
  }

  // Clients

  #followClients(clients: Clients): void {
    const answered = (token: number, words: string, uploadId: UploadId | null = null) => {
      const by = this.#askedBy.get(token);
      this.#step(`${by ? nameOf(by) : "a coordinator"} answered request ${token}: ${words}`, uploadId);
    };
    spy(clients, "put", (token, outcome) => {
      const isStored = outcome.type === "stored";
      const words = isStored ? `"stored" by the ${outcome.path} path, {upload}` : `"${outcome.type}"`;
      answered(token, words, isStored ? outcome.upload.uploadId : null);
    });
    spy(clients, "get", (token, outcome) => {
      const isFound = outcome.type === "found";
      answered(
        token,
        isFound ? "here is {upload}" : `"${outcome.type}"`,
        isFound ? outcome.upload.uploadId : null,
      );
    });
    spy(clients, "list", (token, outcome) => {
      if (outcome.type === "unavailable") answered(token, '"unavailable"');
      else answered(token, `the keys are ${outcome.uploads.map(({ key }) => key).join(", ") || "none"}`);
    });
  }

  #hearRequest(address: Address, event: HeardEvent): void {
    const { type, token, key, sizeBytes, kind, condition } = event as unknown as {
      type: string;
      token: number;
      key: string;
      sizeBytes: number;
      kind: string;
      condition?: { type: string };
    };
    this.#askedBy.set(token, address);
    const what =
      type === "put"
        ? kind === "tombstone"
          ? `delete ${key}`
          : `store ${sizeBytes} bytes as ${key}`
        : type === "get"
          ? `read ${key}`
          : "list all keys";
    const when =
      condition === undefined || condition.type === "none"
        ? ""
        : condition.type === "absent"
          ? " if it does not exist"
          : " if it is unchanged";
    this.#step(`a client asked ${nameOf(address)} to ${what}${when} (request ${token})`);
  }

  // Nodes and their events

  #followNodes(world: World): void {
    spy(world, "powerCut", () => {
      this.#step("POWER CUT: everything in the data centre goes dark");
      this.#isPowerCut = true;
    });
    for (const { node } of [...world.pods, ...world.stashes, ...world.coordinators]) {
      const who = [node.address];
      spy(node, "stop", () => {
        if (node.isUp && !this.#isPowerCut) this.#step("{who} stopped", null, who);
      });
      spy(node, "start", () => {
        this.#isPowerCut = false;
        if (world.queue.nowUs > 0) this.#add({ phrase: "{who} started", who });
      });
      spy(node, "pause", () => this.#step("{who} is paused", null, who));
    }
  }

  #hear(address: Address, event: HeardEvent): void {
    if (event.message) this.#hearMessage(address, event.message);
    else if (event.type === "put" || event.type === "get" || event.type === "list") {
      this.#hearRequest(address, event);
    } else if (event.type === "appended" && address.startsWith("p")) {
      const { uploadId, shardIndex } = event as unknown as { uploadId: UploadId; shardIndex: number };
      this.uploads.get(uploadId)?.written(shardIndex);
      this.#add({ phrase: "{who} wrote the shard of {upload} to the page cache", who: [address], uploadId });
    }
  }

  #hearMessage(address: Address, message: Message): void {
    const who = [address];
    switch (message.type) {
      case "pod.append": {
        const { upload } = message.shard;
        this.#trackerOf(upload);
        if (message.purpose === "put") return;
        this.#add({ phrase: "{who} was sent a rebuilt shard of {upload}", who, uploadId: upload.uploadId });
        return;
      }
      case "coordinator.podRefused":
        this.#add({
          phrase: `{who} refused the shard of {upload}: ${message.reason}`,
          who: [`p${message.podIndex}`],
          uploadId: message.uploadId,
        });
        return;
      case "coordinator.stashAppended":
        if (message.result === "durable") return;
        this.#add({
          phrase: `{who} did not take the shard of {upload}: ${message.result}`,
          who: [`s${message.deviceId}`],
          uploadId: message.uploadId,
        });
        return;
      case "pod.note":
        this.#add({
          phrase: `{who} heard that {upload} is ${message.outcome}`,
          who,
          uploadId: message.uploadId,
        });
        return;
      case "coordinator.hello":
        this.#hearHello(message.pod.podIndex, message.pod.bootId, message.isSettled);
    }
  }

  #hearHello(podIndex: number, bootId: number, isSettled: boolean): void {
    const boot = `${podIndex} ${bootId}`;
    if (!isSettled || this.#settled.has(boot)) return;
    this.#settled.add(boot);
    this.#add({ phrase: "{who} is settled", who: [`p${podIndex}`] });
  }

  // Media

  #followMedia(world: World): void {
    const { oracle } = world;
    spy(oracle, "durable", (place, { upload, shardIndex }) => {
      this.#trackerOf(upload).changed(place, shardIndex, 1);
      const phrase =
        place === "pod"
          ? "the shard of {upload} is durable on {who}"
          : "the shards of {who} of {upload} are durable on the stash";
      this.#add({ phrase, who: [`p${shardIndex}`], uploadId: upload.uploadId });
    });
    spy(oracle, "killed", (place, uploadId, shardIndex, wasDurable) => {
      if (wasDurable) this.uploads.get(uploadId)?.changed(place, shardIndex, -1);
      const phrase =
        place === "pod"
          ? "{who} let go of the shard of {upload}"
          : "the shards of {who} of {upload} were purged from the stash";
      this.#add({ phrase, who: [`p${shardIndex}`], uploadId });
    });
    spy(oracle, "lost", (place, uploadId, shardIndex) => {
      this.uploads.get(uploadId)?.changed(place, shardIndex, -1);
      const where = place === "pod" ? "pod's drive" : "stash";
      this.#add({
        phrase: `the ${where} lost the shard of {who} of {upload}`,
        who: [`p${shardIndex}`],
        uploadId,
      });
    });
    spy(oracle, "lied", ({ upload, shardIndex }) => {
      const phrase = "a sync lied about the shard of {who} of {upload}";
      this.#add({ phrase, who: [`p${shardIndex}`], uploadId: upload.uploadId });
    });
    spy(oracle, "dead", (uploadId) =>
      this.#step("{upload} was declared dead: it can never appear again", uploadId),
    );
    spy(oracle, "superseded", ({ uploadId }) =>
      this.#add({ phrase: "{upload} was called superseded by a later version", uploadId }),
    );
    spy(oracle, "committed", (uploadId) => {
      if (this.#committed.has(uploadId)) return;
      this.#committed.add(uploadId);
      this.#step("{upload} was called committed", uploadId);
    });
    for (const holder of [...world.pods, ...world.stashes]) this.#followMedium(holder);
  }

  #followMedium({ medium, node }: SimulatedPod | SimulatedStash): void {
    const who = [node.address];
    const forget = () => {
      if (!node.address.startsWith("p")) return;
      for (const tracker of this.uploads.values()) tracker.unwritten(Number(node.address.slice(1)));
    };
    spy(medium, "powerCut", () => {
      forget();
      this.#add({ phrase: "{who} lost power", who });
    });
    spy(medium, "replace", () => {
      forget();
      this.#step("{who} has a new, empty drive", null, who);
    });
    spy(medium, "failNextSync", () => this.#step("the next sync of {who} will fail", null, who));
    const told = (name: "setLying" | "setHung" | "setFull", on: string, off: string) => {
      let is = false;
      spy(medium, name, (isOn: boolean) => {
        if (isOn !== is) this.#step(isOn ? on : off, null, who);
        is = isOn;
      });
    };
    told(
      "setLying",
      "the drive of {who} begins to lie about its syncs",
      "the drive of {who} is honest again",
    );
    told("setHung", "the drive of {who} hangs", "the drive of {who} answers again");
    told("setFull", "{who} is full", "{who} has room again");
    spy(medium, "setSlowFactor", (factor) => {
      if (factor > 1) this.#step(`the drive of {who} is ${factor} times slower`, null, who);
    });
  }

  // Links

  #followNetwork({ network }: World): void {
    spy(network, "breakLink", (from, to) => this.#addLink("{who} are lost", from, to));
    spy(network, "healLink", (from, to) => this.#addLink("{who} arrive again as usual", from, to));
    spy(network, "clogLink", (from, to, delayUs) =>
      this.#addLink(`{who} take ${delayUs / 1000} ms longer`, from, to),
    );
    spy(network, "heal", () => this.#step("all faults are healed, and the vault comes to rest"));
  }

  #addLink(what: string, from: Address, to: Address): void {
    const nowUs = this.#world?.queue.nowUs ?? 0;
    if (this.#linksUs !== nowUs) this.#tellLinks();
    this.#linksUs = nowUs;
    this.#links.push({ what, from, to });
  }

  /** Grouped by sender here; senders of which the same can be said are told together later. */
  #tellLinks(): void {
    const links = this.#links;
    this.#links = [];
    for (const [what, some] of Map.groupBy(links, (link) => link.what)) {
      for (const [from, ofSender] of Map.groupBy(some, (link) => link.from)) {
        const receivers = nameAll(ofSender.map(({ to }) => to));
        const phrase = `messages from ${what.replace("{who}", `{who} to ${receivers}`)}`;
        this.#push(this.#linksUs, { phrase, who: [from] });
      }
    }
  }
}
