/**
 * Queue of messages to one node. It is bounded: messages for a node that cannot accept them are dropped, which the
 * protocol allows, so a node that is down does not use up memory.
 */
import { OLDEST_PROTOCOL_VERSION } from "./codec/frame.ts";
import { type Envelope, encodeMessage, envelopeFor } from "./codec/messages.ts";
import { type EncodedFrame, FrameWriter } from "./codec/writer.ts";
import type { Counters, DropReason } from "./counters.ts";
import type { TransportLimits } from "./options.ts";

/** Called once when the transport no longer reads the payloads of a message, whether it was sent, lost or dropped. */
export type Released = () => void;

interface Waiting {
  readonly frame: EncodedFrame;
  readonly queuedAtMs: number;
  readonly released: Released | undefined;
}

/** Frames that are passed to the socket in one write. */
export interface Batch {
  readonly buffers: readonly Uint8Array[];
  readonly bytes: number;
  readonly frames: readonly Waiting[];
}

export class Outbox {
  readonly #writer = new FrameWriter();
  readonly #limits: TransportLimits;
  readonly #counters: Counters;
  #waiting: Waiting[] = [];
  #first = 0;
  /** Version that both sides speak; the oldest before they have met, because messages are encoded when they are queued. */
  version = OLDEST_PROTOCOL_VERSION;
  /** Bytes and number of all messages that have not been released, in the socket or in the queue. */
  heldBytes = 0;
  heldCount = 0;

  constructor(limits: TransportLimits, counters: Counters) {
    this.#limits = limits;
    this.#counters = counters;
  }

  get isEmpty(): boolean {
    return this.#first === this.#waiting.length;
  }

  /** Returns false if the message was dropped. */
  push(envelope: Envelope, released: Released | undefined): boolean {
    const { frameBytesMax, queueBytesMax, queueCountMax } = this.#limits;
    if (this.heldCount >= queueCountMax || this.heldBytes >= queueBytesMax) {
      return this.#refuse("queueFull", released);
    }
    const frame = encodeMessage(this.#writer, envelopeFor(this.version, envelope));
    if (frame.bytes > frameBytesMax) return this.#refuse("tooLarge", released);
    if (this.heldBytes + frame.bytes > queueBytesMax) return this.#refuse("queueFull", released);
    this.heldBytes += frame.bytes;
    this.heldCount += 1;
    this.#waiting.push({ frame, queuedAtMs: performance.now(), released });
    return true;
  }

  /** Returns the next frames, at least one and together not much more than `bytesMax`; null if there are none. */
  take(bytesMax: number): Batch | null {
    if (this.isEmpty) return null;
    const from = this.#first;
    let bytes = 0;
    let end = from;
    for (; end < this.#waiting.length && bytes < bytesMax; end += 1) {
      bytes += (this.#waiting[end] as Waiting).frame.bytes;
    }
    const frames = this.#waiting.slice(from, end);
    this.#forgetBefore(end);
    return { buffers: mergeBuffers(frames), bytes, frames };
  }

  sent(batch: Batch): void {
    this.#counters.framesSentTotal += batch.frames.length;
    this.#counters.bytesSentTotal += batch.bytes;
    this.#release(batch.frames);
  }

  lost(batch: Batch): void {
    this.#drop(batch.frames, "lost");
  }

  dropOlderThan(ageMsMax: number): void {
    const oldestMs = performance.now() - ageMsMax;
    let end = this.#first;
    while (end < this.#waiting.length && (this.#waiting[end] as Waiting).queuedAtMs < oldestMs) end += 1;
    const dropped = this.#waiting.slice(this.#first, end);
    this.#forgetBefore(end);
    this.#drop(dropped, "tooOld");
  }

  dropAll(): void {
    const dropped = this.#waiting.slice(this.#first);
    this.#forgetBefore(this.#waiting.length);
    this.#drop(dropped, "lost");
  }

  #refuse(reason: DropReason, released: Released | undefined): false {
    this.#counters.dropsTotal[reason] += 1;
    released?.();
    return false;
  }

  #drop(frames: readonly Waiting[], reason: DropReason): void {
    this.#counters.dropsTotal[reason] += frames.length;
    this.#release(frames);
  }

  #release(frames: readonly Waiting[]): void {
    for (const { frame, released } of frames) {
      this.heldBytes -= frame.bytes;
      this.heldCount -= 1;
      released?.();
    }
  }

  #forgetBefore(end: number): void {
    this.#first = end;
    if (end === this.#waiting.length) this.#waiting = [];
    else if (end > 1_024) this.#waiting = this.#waiting.slice(end);
    else return;
    this.#first = 0;
  }
}

/** Merges adjacent heads into one buffer. */
function mergeBuffers(frames: readonly Waiting[]): Uint8Array[] {
  const buffers: Uint8Array[] = [];
  const [first] = frames;
  if (!first) return buffers;
  let { slab, start, end } = first.frame;
  for (const { frame } of frames) {
    if (frame.slab === slab && (frame.start === end || frame.start === start)) end = frame.end;
    else {
      if (end > start) buffers.push(slab.subarray(start, end));
      ({ slab, start, end } = frame);
    }
    if (frame.payloads.length > 0) {
      buffers.push(slab.subarray(start, end), ...frame.payloads);
      start = end;
    }
  }
  if (end > start) buffers.push(slab.subarray(start, end));
  return buffers;
}
