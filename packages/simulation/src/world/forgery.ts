/**
 * Sends messages that no node should send, as if from a node that is out of date, misconfigured or faulty. All must be
 * refused without any change, so each is made from the receiver's current state, with one wrong field.
 */

import { checksum } from "@stashlight/shard-store";
import {
  type Address,
  coordinatorAddress,
  type DeathProof,
  type Message,
  podAddress,
  quorumsOf,
  type Shard,
  stashAddress,
  type UploadHeader,
} from "@stashlight/write-path";
import { entriesOf } from "../check/read-entries.ts";
import type { SimulatedPod, SimulatedStash } from "./machines.ts";
import type { World } from "./world.ts";

type Send = (from: Address, to: Address, message: Message) => void;

interface Purge {
  from: Address;
  podIndex: number;
  driveId: string;
  bootId: number;
  epoch: number;
  shardIndex: number;
  payloadCrc: number;
}

/**
 * Each makes a purge permanently wrong: a later epoch would be right for a copy that arrives after a drive's change.
 */
const purgeLies: readonly ((purge: Purge, podCount: number) => Purge)[] = [
  (purge) => ({ ...purge, epoch: purge.epoch - 1 }),
  (purge) => ({ ...purge, driveId: "another-drive" }),
  (purge) => ({ ...purge, bootId: purge.bootId - 1 }),
  (purge) => ({ ...purge, payloadCrc: purge.payloadCrc ^ 1 }),
  (purge, podCount) => ({ ...purge, from: podAddress((purge.podIndex + 1) % podCount) }),
];

const otherLies: readonly ((world: World, send: Send) => void)[] = [
  purgeOfAnothersShards,
  (world, send) => discardEverything(world, send, 0),
  (world, send) => discardEverything(world, send, 1),
  (world, send) => inventUpload(world, send, "append"),
  (world, send) => inventUpload(world, send, "handoff"),
  answerForOthers,
];

/** Sends one kind of forged message, chosen by `detail`, about every suitable record. */
export function forgeMessages(world: World, detail: number): void {
  const send: Send = (from, to, message) => {
    world.counters.add("forged message sent");
    world.network.send(from, to, message);
  };
  const kind = detail % (purgeLies.length + otherLies.length);
  const lie = purgeLies[kind];
  if (lie) for (const stash of world.stashes) purgeEverything(world, stash, send, lie);
  else otherLies[kind - purgeLies.length]?.(world, send);
}

function* shardsOn({ state }: SimulatedStash) {
  for (const entries of state?.entries.values() ?? []) yield* entries;
}

function purgeEverything(
  world: World,
  stash: SimulatedStash,
  send: Send,
  lie: (purge: Purge, podCount: number) => Purge,
): void {
  for (const { upload, shardIndex, payloadCrc } of shardsOn(stash)) {
    const pod = stash.state?.pods.get(shardIndex);
    if (!pod || !stash.state) continue;
    const { epoch } = stash.state.config;
    const forged = lie(
      { ...pod, from: podAddress(shardIndex), epoch, shardIndex, payloadCrc },
      world.pods.length,
    );
    sendPurge(send, stash, forged, upload);
  }
}

function purgeOfAnothersShards(world: World, send: Send): void {
  for (const stash of world.stashes) {
    for (const { upload, shardIndex, payloadCrc } of shardsOn(stash)) {
      const pod = stash.state?.pods.get((shardIndex + 1) % world.pods.length);
      if (!pod || !stash.state) continue;
      const { epoch } = stash.state.config;
      sendPurge(
        send,
        stash,
        { ...pod, from: podAddress(pod.podIndex), epoch, shardIndex, payloadCrc },
        upload,
      );
    }
  }
}

function sendPurge(send: Send, { deviceId }: SimulatedStash, purge: Purge, { uploadId }: UploadHeader): void {
  const { from, podIndex, driveId, bootId, epoch, shardIndex, payloadCrc } = purge;
  const pod = { podIndex, driveId, bootId };
  const entries = [{ uploadId, shardIndex, payloadCrc }];
  send(from, stashAddress(deviceId), { type: "stash.purge", pod, epoch, entries });
}

/** Forges a proof with one promise too few, or with a version that is not higher. */
function discardEverything(world: World, send: Send, kind: 0 | 1): void {
  const { refuse, bury } = quorumsOf(world.options.scheme);
  const forgeProof = ({ order }: UploadHeader, promiseCount: number): DeathProof => {
    if (kind === 1) return { type: "superseded", by: order };
    return { type: "refused", by: Array.from({ length: promiseCount - 1 }, (_, podIndex) => podIndex) };
  };
  for (const { podIndex, state } of world.pods) {
    for (const { upload } of entriesOf(state)) {
      const proof = forgeProof(upload, refuse);
      send(coordinatorAddress(0), podAddress(podIndex), { type: "pod.discard", upload, proof });
    }
  }
  for (const stash of world.stashes) {
    for (const { upload } of shardsOn(stash)) {
      const proof = forgeProof(upload, bury);
      send(coordinatorAddress(0), stashAddress(stash.deviceId), { type: "stash.discard", upload, proof });
    }
  }
}

/** Invents an upload that no client made; each pod receives another pod's shard. */
function inventUpload(world: World, send: Send, way: "append" | "handoff"): void {
  const known = world.pods.flatMap(({ state }) => entriesOf(state)).at(-1)?.upload;
  if (!known) return;
  const upload = { ...known, uploadId: `f${known.uploadId.slice(1)}`, etag: "forged" };
  for (const pod of world.pods) {
    const payload = new Uint8Array(8).fill(pod.podIndex);
    const shardIndex = (pod.podIndex + 1) % world.pods.length;
    const shard = { upload, shardIndex, payload, payloadCrc: checksum(payload) };
    send(...(way === "append" ? forgeAppend(pod, shard) : forgeHandoff(pod, shard)));
  }
}

function forgeAppend({ podIndex, state }: SimulatedPod, shard: Shard): [Address, Address, Message] {
  const condition = { type: "none" } as const;
  const bootId = state?.identity.bootId ?? 0;
  const rest = { purpose: "repair", isDurable: true, stashDeviceId: null } as const;
  const message: Message = { type: "pod.append", shard, condition, bootId, ...rest };
  return [coordinatorAddress(0), podAddress(podIndex), message];
}

function forgeHandoff({ podIndex, state }: SimulatedPod, shard: Shard): [Address, Address, Message] {
  const bootId = state?.identity.bootId ?? 0;
  const rest = { deviceId: 0, shards: [shard], damaged: [], cursor: null, isLast: false } as const;
  return [stashAddress(0), podAddress(podIndex), { type: "pod.handoff", bootId, ...rest }];
}

/** Each pod falsely reports the shard of the pod before it as durable. */
function answerForOthers(world: World, send: Send): void {
  for (const { coordinatorId, state } of world.coordinators) {
    for (const [uploadId, { bootIds }] of state?.puts ?? []) {
      bootIds.forEach((bootId, podIndex) => {
        const from = podAddress((podIndex + 1) % bootIds.length);
        const answer = {
          type: "coordinator.podAppended",
          uploadId,
          podIndex,
          bootId,
          result: "durable",
        } as const;
        send(from, coordinatorAddress(coordinatorId), answer);
      });
    }
  }
}
