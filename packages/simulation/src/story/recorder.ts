/**
 * Observes a run and records facts: requests and answers of clients, the actual contents of the media, stops and
 * starts, faults. It observes the simulation, not the nodes' own view of themselves.
 */
import type { Address, CoordinatorEvent, Message, PodEvent } from "@stashlight/write-path";
import type { Clients } from "../world/clients.ts";
import type { World } from "../world/world.ts";
import { ClientListener } from "./clients.ts";
import { Notebook } from "./collected-facts.ts";
import { followMedia } from "./media.ts";
import { LinkListener } from "./network.ts";
import { spy } from "./observe-method.ts";

type HeardEvent = CoordinatorEvent | PodEvent<number>;

/** Follows the run from its beginning; the notebook fills as it proceeds. */
export function record(world: World, clients: Clients): Notebook {
  const notebook = new Notebook(() => world.queue.nowUs);
  const heardClients = new ClientListener(notebook, clients);
  const links = new LinkListener(notebook, world.network);
  const settled = new Set<string>();
  world.listener = (address, event) => {
    links.tell();
    hear(address, event as HeardEvent);
  };
  const hear = (address: Address, event: HeardEvent) => {
    if (event.type === "message") hearMessage(notebook, address, event.message, settled);
    else if (event.type === "put" || event.type === "get" || event.type === "list") {
      heardClients.hearRequest(address, event);
    } else if (event.type === "appended" && address.startsWith("p")) {
      notebook.uploads.get(event.uploadId)?.written(event.shardIndex);
      notebook.detail("{who} wrote {upload} to the page cache", [address], event.uploadId);
    }
  };
  followMedia(notebook, world);
  followNodes(notebook, world);
  spy(world.counters, "add", (name) => {
    if (name === "forged message") notebook.step("a node sends forged messages");
    else if (name.startsWith("ambush: ")) notebook.step(`an ${name}`);
  });
  return notebook;
}

function followNodes(notebook: Notebook, world: World): void {
  let isDark = false;
  spy(world, "powerCut", () => {
    notebook.step("POWER CUT: everything in the data centre goes dark");
    isDark = true;
  });
  for (const { node } of [...world.pods, ...world.stashes, ...world.coordinators]) {
    const who = [node.address];
    spy(node, "stop", () => {
      if (node.isUp && !isDark) notebook.step("{who} stopped", who);
    });
    spy(node, "start", () => {
      isDark = false;
      if (world.queue.nowUs > 0) notebook.detail("{who} started", who);
    });
    spy(node, "pause", () => notebook.step("{who} paused", who));
  }
}

function hearMessage(notebook: Notebook, address: Address, message: Message, settled: Set<string>): void {
  const who = [address];
  switch (message.type) {
    case "pod.append": {
      const { upload } = message.shard;
      notebook.trackerOf(upload);
      if (message.purpose !== "put")
        notebook.detail("{who} received a rebuilt shard of {upload}", who, upload.uploadId);
      return;
    }
    case "coordinator.podRefused": {
      const { reason, podIndex, uploadId } = message;
      notebook.detail(`{who} refused {upload}: ${reason}`, [`p${podIndex}`], uploadId);
      return;
    }
    case "coordinator.stashAppended": {
      const { result, deviceId, uploadId } = message;
      if (result !== "durable")
        notebook.detail(`{who} refused {upload}: ${result}`, [`s${deviceId}`], uploadId);
      return;
    }
    case "stash.purge":
      for (const { uploadId } of message.entries)
        notebook.detail("{who} received a purge of {upload}", who, uploadId);
      return;
    case "pod.note":
      notebook.detail(`{who} learned that {upload} is ${message.outcome}`, who, message.uploadId);
      return;
    case "pod.probe":
      if (message.isCommitted)
        notebook.detail("{who} learned that {upload} is committed", who, message.upload.uploadId);
      return;
    case "coordinator.hello": {
      const { pod, isSettled } = message;
      const boot = `${pod.podIndex} ${pod.bootId}`;
      if (!isSettled || settled.has(boot)) return;
      settled.add(boot);
      notebook.detail("{who} settled", [`p${pod.podIndex}`]);
    }
  }
}
