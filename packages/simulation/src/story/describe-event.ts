/** Names of nodes and events in the terms of a storage engineer. */
import type { Address, Message, UploadHeader, VersionView } from "@stashlight/write-path";

const ROLES = { c: "coordinator", p: "pod", s: "stash device" } as const;

export function formatAddress(address: Address): string {
  return `${ROLES[address[0] as keyof typeof ROLES]} ${address.slice(1)}`;
}

/** "pods 0-4, 7": several nodes of each role in one phrase. */
export function nameAll(addresses: readonly Address[]): string {
  const numbersByRole = new Map<string, number[]>();
  for (const address of addresses) {
    const role = ROLES[address[0] as keyof typeof ROLES];
    numbersByRole.set(role, [...(numbersByRole.get(role) ?? []), Number(address.slice(1))]);
  }
  const parts = [...numbersByRole].map(([role, numbers]) => {
    const distinct = [...new Set(numbers)];
    return `${role}${distinct.length > 1 ? "s" : ""} ${ranges(distinct)}`;
  });
  const last = parts.pop() ?? "nobody";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

/** Formats 0, 1, 2, 5 as "0-2, 5". */
export function ranges(numbers: readonly number[]): string {
  const sorted = [...numbers].sort((a, b) => a - b);
  const parts: [first: number, last: number][] = [];
  for (const number of sorted) {
    const part = parts.at(-1);
    if (part && part[1] === number - 1) part[1] = number;
    else parts.push([number, number]);
  }
  return parts.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(", ");
}

export function formatTime(timeUs: number): string {
  return `${(timeUs / 1e6).toFixed(6).padStart(12)} s`;
}

const shortUploadId = (uploadId: string) => uploadId.slice(0, 8);
const knowledgeText = ({ versions, isSettled }: { versions: readonly VersionView[]; isSettled: boolean }) =>
  `I know ${versionsText(versions)}${isSettled ? "" : ", and am not settled"}`;

const versionsText = (versions: readonly VersionView[]) =>
  versions.length === 0
    ? "no version"
    : versions
        .map(({ upload, holds, isCommitted }) => {
          return `${shortUploadId(upload.uploadId)} (${holds}${isCommitted ? ", committed" : ""})`;
        })
        .join(", ");
const uploadsText = (uploads: readonly UploadHeader[]) =>
  uploads.length === 0
    ? "no upload"
    : `uploads ${uploads.map(({ uploadId }) => shortUploadId(uploadId)).join(", ")}`;

/** Describes one event of one node, for a trace. */
export function describeEvent(
  address: Address,
  event: { readonly type: string; readonly from?: Address; readonly message?: Message },
): string {
  const { message, from } = event;
  if (message && from)
    return `${formatAddress(address)} received from ${formatAddress(from)}: ${describeMessage(message)}`;
  return `${formatAddress(address)}: ${event.type}${formatDetails(event)}`;
}

/** The plain fields of an event, without bytes. */
function formatDetails(event: object): string {
  const words = Object.entries(event).flatMap(([name, value]) => {
    if (name === "type") return [];
    if (typeof value === "string")
      return [`${name} ${/^[0-9a-f]{32}$/.test(value) ? shortUploadId(value) : value}`];
    return typeof value === "number" || typeof value === "boolean" ? [`${name} ${value}`] : [];
  });
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}

function describeMessage(message: Message): string {
  switch (message.type) {
    case "pod.append": {
      const { shard, purpose, isDurable } = message;
      const when = isDurable ? "durably" : "to the page cache";
      return `${purpose} shard ${shard.shardIndex} of ${shortUploadId(shard.upload.uploadId)}, ${when}`;
    }
    case "stash.append":
      return `keep shard ${message.shard.shardIndex} of ${shortUploadId(message.shard.upload.uploadId)}`;
    case "stash.purge":
      return `purge ${message.entries.map(({ uploadId, shardIndex }) => `shard ${shardIndex} of ${shortUploadId(uploadId)}`).join(", ")} (boot ${message.pod.bootId})`;
    case "pod.discard":
    case "stash.discard":
      return `discard ${shortUploadId(message.upload.uploadId)}, ${message.proof.type}`;
    case "pod.probe":
      return `what do you hold of ${shortUploadId(message.upload.uploadId)}? ${message.isCommitted ? "it is committed" : `promises wanted of ${message.refuse}`}`;
    case "pod.handoff": {
      const ids = message.shards.map(({ upload }) => shortUploadId(upload.uploadId)).join(", ");
      return `take over ${ids || "nothing"}${message.isLast ? ", that was all" : ""}`;
    }
    case "pod.digests":
      return `my index looks like ${message.digests.map(({ bucket, digest }) => `${bucket}:${digest}`).join(", ") || "nothing"}`;
    case "pod.indexPage":
      return `my index: ${uploadsText(message.uploads)}${message.isLast ? ", that was all" : ""}`;
    case "coordinator.hello":
      return `I am up in boot ${message.pod.bootId}, ${message.isSettled ? "settled" : "not settled"}`;
    case "coordinator.found":
      return `${knowledgeText(message)}${message.shard ? "; here is my shard" : ""}`;
    case "coordinator.listed":
      return knowledgeText(message);
    case "coordinator.listedAlike":
      return `my page has the digest ${message.digest}${message.isSettled ? "" : ", and I am not settled"}`;
    case "coordinator.stashFound":
    case "coordinator.stashListed":
      return `I keep ${uploadsText(message.uploads)}`;
    case "coordinator.stashProbed":
      return `I keep the shards ${ranges(message.shardIndices) || "of nobody"}`;
    case "coordinator.loaded":
      return `here are the shards ${ranges(message.shards.map(({ shardIndex }) => shardIndex)) || "of nobody"}`;
    case "coordinator.resolve":
      return `what became of ${shortUploadId(message.upload.uploadId)}?`;
    default:
      return `${message.type.replace(/^\w+\./, "")}${formatDetails(message)}`;
  }
}
