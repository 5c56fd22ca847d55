/** Reports the promises in the nodes' own messages to the oracle. */
import type { Address, Message, UploadHeader } from "@stashlight/write-path";
import type { Oracle, Violation } from "../check/oracle.ts";
import type { PodMemory } from "../check/pod-memory.ts";

/** The messages to judge, and their destination. */
export interface Witnessed {
  readonly oracle: Oracle;
  readonly pods: readonly { readonly hasSyncFailed: boolean; readonly memory: PodMemory }[];
  /** Uploads that coordinators have asked pods about, by the number of the question. */
  readonly probes: Map<number, UploadHeader>;
  readonly violations: Violation[];
}

/** Judges claims when they are made, whether or not they arrive. */
export function witnessMessage(world: Witnessed, from: Address, message: Message): void {
  const { oracle } = world;
  if (message.type === "pod.note") oracle.committed(message.uploadId);
  else if (message.type === "pod.discard" || message.type === "stash.discard") {
    const { upload, proof } = message;
    // The stash learns of a death together with the clients, and pods while there are still too few promises to prove
    // it.
    if (proof.type === "superseded") oracle.superseded(upload, proof.by);
    else if (message.type === "stash.discard") oracle.dead(upload.uploadId);
    else oracle.provedDead(upload.uploadId);
  } else if (message.type === "stash.purge") judgePromise(world, from, "sent a purge");
  else if (message.type === "coordinator.podAppended" && message.result === "durable") {
    judgePromise(world, from, "called a shard durable");
    oracle.claimed("pod", message.uploadId, message.podIndex);
  } else if (message.type === "coordinator.stashAppended" && message.result === "durable") {
    oracle.claimed("stash", message.uploadId, message.shardIndex);
  } else if (message.type === "pod.probe") {
    if (message.isCommitted) oracle.committed(message.upload.uploadId);
    world.probes.set(message.requestId, message.upload);
  } else if (message.type === "coordinator.probed" || message.type === "coordinator.hello") {
    judgeMemory(world, message);
  }
}

type PodWord = Extract<Message, { type: "coordinator.probed" | "coordinator.hello" }>;

/** A pod's permanent promise must be on its medium when the pod makes it. */
function judgeMemory({ pods, probes, violations }: Witnessed, message: PodWord): void {
  const isHello = message.type === "coordinator.hello";
  const memory = pods[isHello ? message.pod.podIndex : message.podIndex]?.memory;
  const violation = isHello ? memory?.judgeFinal(message.finalBelow) : memory?.judgeAnswer(message, probes);
  if (violation) violations.push(violation);
}

/** S6. A stash device may still confirm data that was durable before its sync failed, so only pods are judged. */
function judgePromise({ pods, violations }: Witnessed, from: Address, deed: string): void {
  const id = Number(from.slice(1));
  if (from.startsWith("p") && pods[id]?.hasSyncFailed) {
    violations.push({
      property: "S6",
      sentence: `Pod ${id} ${deed} after an fsync had failed in this boot.`,
    });
  }
}
