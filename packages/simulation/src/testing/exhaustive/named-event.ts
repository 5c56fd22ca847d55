/** Events with a unique name, and a description for a story. */
import type { Message } from "@stashlight/write-path";
import { canonicalText } from "./canonical-text.ts";
import type { NodeEvent } from "./node.ts";

export interface NamedEvent {
  /** Unique among the possible events of a node in one state. */
  readonly name: string;
  readonly words: string;
  readonly event: NodeEvent;
}

export function named(event: NodeEvent): NamedEvent {
  const words = eventName(event);
  return { name: event.type === "message" ? canonicalText(event) : words, words, event };
}

function eventName(event: NodeEvent): string {
  switch (event.type) {
    case "flushed":
      return "the flush ends";
    case "committed":
      return `record ${event.position} is durable`;
    case "promiseSynced":
      return `the promise not to take ${event.uploadId} is durable`;
    case "timer":
      return `the timer ${event.key} fires`;
    case "start":
      return `boot ${event.bootId} starts`;
    case "request":
      return wordsOfRequest(event.request);
    case "message":
      return `${event.message.type}${describeSubject(event.message)} arrives from ${event.from}`;
  }
}

function wordsOfRequest(request: Extract<NodeEvent, { type: "request" }>["request"]): string {
  if (request.type === "put")
    return `a client begins to put ${request.kind} ${request.uploadId} at ${request.key}`;
  return request.type === "get" ? `a client begins to read ${request.key} (${request.token})` : request.type;
}

function describeSubject(message: Message): string {
  if ("shard" in message && message.shard !== null) return ` of ${message.shard.upload.uploadId}`;
  if ("upload" in message) return ` of ${message.upload.uploadId}`;
  return "uploadId" in message ? ` of ${message.uploadId}` : "";
}
