import { mutantsIn } from "./mutant.ts";

/** Mistakes in keeping, handing over and dropping shards. */
export const stashMutants = mutantsIn("stash", [
  {
    name: "stash-answers-before-commit",
    find: 'return [{ type: "append", shard, room: "data" }];',
    replace: 'return [{ type: "append", shard, room: "data" }, ...answer("durable")];',
    breaks: "a stash answers after its group commit",
  },
  {
    name: "failed-commit-answered-as-durable",
    find: 'const result = hasNoRoom ? "full" : "failed";',
    replace: 'const result = "durable";',
    breaks: "a failed group commit is an error for every waiter",
  },
  {
    name: "purge-from-another-address",
    find: 'if (isOfStranger(from, message)) return "purge',
    replace: 'if (state === null) return "purge',
    breaks: "a pod purges in its own name",
  },
  {
    name: "purge-from-another-epoch",
    find: "if (epoch !== state.config.epoch) return",
    replace: "if (epoch < 0) return",
    breaks: "a purge names the placement epoch in force",
  },
  {
    name: "purge-from-another-drive",
    find: 'if (pod.driveId !== state.config.podDriveIds[pod.podIndex]) return "purge',
    replace: 'if (pod.driveId === "") return "purge',
    breaks: "a purge names the drive that holds the shard now",
  },
  {
    name: "purge-from-an-earlier-boot",
    find: "if (pod.bootId !== state.pods.get(pod.podIndex)?.bootId) return",
    replace: "if (pod.bootId < 0) return",
    breaks: "a purge names the pod's boot, so that none rests on an fsync that failed",
  },
  {
    name: "purge-of-another-pods-shard",
    find: "if (shardIndex !== message.pod.podIndex) {",
    replace: "if (shardIndex < 0) {",
    breaks: "a pod purges its own shards only",
  },
  {
    name: "purge-without-comparing-the-checksum",
    find: 'else if (entry.payloadCrc !== payloadCrc) countRefusal(state, "purge of other bytes");',
    replace: "",
    breaks: "a purge names the bytes that the pod holds",
  },
  {
    name: "discard-without-proof-on-stash",
    find: 'if (!isDeathProof(proof, upload, quorumsOf(state.config.scheme), "bury"))',
    replace: "if (proof === undefined)",
    breaks: "a stash drops a shard only on a purge or a proof",
  },
  {
    name: "leftovers-never-offered",
    find: 'if (entry.state !== "durable" || nowMs - entry.offeredMs < OFFER_AFTER_MS) continue;',
    replace: "continue;",
    breaks: "the stash drains to zero",
  },
  {
    name: "last-page-given-with-an-append-in-flight",
    find: 'const isLast = page.length === waiting.length && all.every((entry) => entry.state === "durable");',
    replace: "const isLast = page.length === waiting.length;",
    breaks: "a pod has pulled everything that was accepted for an earlier boot before it counts",
  },
  {
    name: "append-for-an-earlier-boot-taken",
    find: "if (podBootId < pod.bootId) return",
    replace: "if (podBootId < 0) return",
    breaks: "a stash accepts no shard for an earlier boot of a pod",
  },
  {
    name: "handoff-to-another-pod",
    find: 'return [{ type: "send", to: podAddress(podIndex), message }];',
    replace:
      'return [{ type: "send", to: podAddress((podIndex + 1) % state.config.podDriveIds.length), message }];',
    breaks: "a shard is handed over to its own pod",
  },
  {
    name: "all-shards-on-one-device",
    folder: "",
    find: "order[(index + shift) % shardCount] ?? null",
    replace: "order[shift % order.length] ?? null",
    breaks: "at most one shard of an object on one SSD",
  },
  {
    name: "quarantine-below-the-quorum",
    folder: "",
    find: "hasStashPath: placed >= acknowledge,",
    replace: "hasStashPath: placed > 0,",
    breaks: "a quarantine leaves as many stash devices as an upload needs",
  },
  {
    name: "anybody-speaks-for-anybody",
    folder: "",
    find: "return speaker !== from && speaker !== from[0];",
    replace: "return false;",
    breaks: "quorums count nodes, so no node speaks in another's name",
  },
  {
    name: "superseded-proof-not-compared",
    folder: "",
    find: 'if (proof.type === "superseded") return proof.by > upload.order;',
    replace: 'if (proof.type === "superseded") return true;',
    breaks: "a proof names a version above the one that it ends",
  },
  {
    name: "stash-keeps-old-epoch",
    find: "if (event.config.epoch > state.config.epoch) state.config = event.config;",
    replace: "",
    breaks: "a running stash device learns of a new drive, and lets it pull and purge",
  },
]);
