/**
 * One connection: splits received data into frames, sends its outbox once per turn of the event loop, and detects a
 * silent other side.
 *
 *     greeting: only small frames, and no messages, until both sides have identified themselves
 *     open:     messages go both ways
 *     closing:  the socket sends its remaining data, and nothing is read
 *     closed:   the socket is gone, and its unsent data is lost
 */
import type { Socket } from "node:net";
import { type Frame, HANDSHAKE_FRAME_BYTES_MAX } from "./codec/frame.ts";
import { decodePing, encodePing } from "./codec/handshake.ts";
import { type EncodedFrame, FrameWriter } from "./codec/writer.ts";
import type { Counters } from "./counters.ts";
import { FrameError } from "./errors.ts";
import { FrameReader } from "./frame-reader.ts";
import type { Inlet } from "./inlet.ts";
import type { TransportLimits } from "./options.ts";
import type { Batch, Outbox } from "./outbox.ts";

export interface WireHooks {
  /**
   * Receives every frame except pings, and returns the action to take. A `FrameError` during this call, which decodes
   * the frame, closes the connection; an error in the action is not the other side's fault.
   */
  readonly frame: (frame: Frame) => (() => void) | null;
  /** Called at the first unreadable frame, after which nothing more is read. */
  readonly unreadable: (error: FrameError) => void;
  /** Called once, when the socket is gone. */
  readonly closed: (text: string, error: Error | null) => void;
}

export class Wire {
  readonly #socket: Socket;
  readonly #limits: TransportLimits;
  readonly #counters: Counters;
  readonly #hooks: WireHooks;
  readonly #reader: FrameReader;
  readonly #writer = new FrameWriter();
  readonly #inFlight = new Set<Batch>();
  #inFlightBytes = 0;
  #outbox: Outbox | null = null;
  #flush: NodeJS.Immediate | null = null;
  #pings: NodeJS.Timeout | null = null;
  #closing: NodeJS.Timeout | null = null;
  #state: "greeting" | "open" | "closing" | "closed" = "greeting";
  #isPaused = false;
  #heardAtMs = performance.now();
  #pingedAtMs = performance.now();
  #closeText = "The other side closed the connection.";
  #error: Error | null = null;

  /** `inlet`: the memory that the socket was created to read into; without one it allocates its own. */
  constructor(
    socket: Socket,
    inlet: Inlet | null,
    limits: TransportLimits,
    counters: Counters,
    arePayloadsLent: boolean,
    hooks: WireHooks,
  ) {
    this.#reader = new FrameReader(HANDSHAKE_FRAME_BYTES_MAX, arePayloadsLent);
    this.#socket = socket;
    this.#limits = limits;
    this.#counters = counters;
    this.#hooks = hooks;
    socket.setNoDelay(true);
    if (inlet === null) socket.on("data", (chunk: Buffer) => this.#received(chunk, false));
    else inlet.receive = (bytes) => this.#received(bytes, true);
    socket.on("error", (error) => {
      this.#error ??= error;
      this.#closeText = `The connection failed: ${error.message}.`;
    });
    // The other side has finished sending, so it would not answer further messages.
    socket.on("end", () => socket.destroy());
    socket.on("close", () => this.#closed());
  }

  /** Both sides are verified: messages of `outbox` are sent from here on. */
  open(outbox: Outbox): void {
    this.#state = "open";
    this.#outbox = outbox;
    this.#reader.frameBytesMax = this.#limits.frameBytesMax;
    this.#pingedAtMs = performance.now();
    this.#pings = setInterval(() => this.#ping(), this.#limits.pingEveryMs);
    this.scheduleFlush();
  }

  /** Sends a frame that is not a message at once, ahead of all queued messages. */
  sendControl({ slab, start, end }: EncodedFrame): void {
    if (this.#socket.writable) this.#socket.write(slab.subarray(start, end));
  }

  /** Sends all messages of this turn of the event loop in one write. */
  scheduleFlush(): void {
    if (this.#state === "open") this.#flush ??= setImmediate(() => this.#flushNow());
  }

  /** Stops reading until `resume`. The amount of data in transit is bounded, so the sender slows down. */
  pause(): void {
    if (this.#isPaused || this.#state !== "open") return;
    this.#counters.pausesTotal += 1;
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    if (!this.#isPaused || this.#state !== "open") return;
    this.#isPaused = false;
    // Nothing could be received while reading was paused.
    this.#heardAtMs = performance.now();
    // Delivers frames that are already here first, which may make the receiver pause again.
    this.#deliver();
    if (!this.#isPaused) this.#socket.resume();
  }

  /** Drops unsent data at once, or closes as soon as the socket has sent it. */
  close(text: string, how: "now" | "flushed" = "now"): void {
    if (this.#state === "closed") return;
    this.#closeText = text;
    if (how === "now" || this.#state === "closing") {
      this.#socket.destroy();
      return;
    }
    if (this.#state === "open") this.#flushNow();
    this.#state = "closing";
    this.#socket.resume();
    this.#socket.destroySoon();
    this.#closing = setTimeout(() => this.#socket.destroy(), this.#limits.handshakeMsMax);
  }

  #received(chunk: Buffer, isBorrowed: boolean): void {
    this.#heardAtMs = performance.now();
    this.#counters.bytesReceivedTotal += chunk.length;
    if (this.#state === "closing") return;
    if (isBorrowed) this.#reader.pushBorrowed(chunk);
    else this.#reader.push(chunk);
    if (!this.#isPaused) this.#deliver();
    this.#reader.keep();
  }

  #deliver(): void {
    while (!this.#isPaused && (this.#state === "greeting" || this.#state === "open")) {
      const action = this.#next();
      if (action === null) return;
      action();
    }
  }

  /** Returns the action for the next frame; null if there is none, or if the frame cannot be read. */
  #next(): (() => void) | null {
    try {
      const frame = this.#reader.next();
      if (frame === null) return null;
      this.#counters.framesReceivedTotal += 1;
      return this.#answerPing(frame) ?? this.#hooks.frame(frame) ?? nothing;
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.#hooks.unreadable(error);
      return null;
    }
  }

  #answerPing(frame: Frame): (() => void) | null {
    const { type } = frame.header;
    if (type !== "ping" && type !== "pong") return null;
    if (this.#state !== "open") throw new FrameError("header", `A ${type} came before the handshake.`);
    const sentAtUs = decodePing(frame);
    if (type === "ping") return () => this.sendControl(encodePing(this.#writer, "pong", sentAtUs));
    return () => {
      this.#counters.roundTripUs = (clockUs() - sentAtUs) >>> 0;
    };
  }

  #ping(): void {
    const { pingEveryMs, silenceMsMax } = this.#limits;
    const nowMs = performance.now();
    // This process itself was suspended, and data that arrived meanwhile has not been read yet.
    if (nowMs - this.#pingedAtMs > 2 * pingEveryMs) this.#heardAtMs = nowMs;
    this.#pingedAtMs = nowMs;
    const silentMs = nowMs - this.#heardAtMs;
    if (!this.#isPaused && silentMs > silenceMsMax) {
      this.#counters.silencesTotal += 1;
      this.close(`The other side has been silent for ${Math.round(silentMs)} ms.`);
    } else if (this.#state === "open") {
      this.sendControl(encodePing(this.#writer, "ping", clockUs()));
    }
  }

  #flushNow(): void {
    if (this.#flush) clearImmediate(this.#flush);
    this.#flush = null;
    const outbox = this.#outbox;
    const { inFlightBytesMax } = this.#limits;
    while (outbox && this.#socket.writable && this.#inFlightBytes < inFlightBytesMax) {
      const batch = outbox.take(inFlightBytesMax - this.#inFlightBytes);
      if (batch === null) return;
      this.#write(batch, outbox);
    }
  }

  #write(batch: Batch, outbox: Outbox): void {
    this.#inFlight.add(batch);
    this.#inFlightBytes += batch.bytes;
    const socket = this.#socket;
    const last = batch.buffers.length - 1;
    socket.cork();
    for (let at = 0; at < last; at += 1) socket.write(batch.buffers[at] as Uint8Array);
    socket.write(batch.buffers[last] as Uint8Array, (error) => {
      if (error || !this.#inFlight.delete(batch)) return;
      this.#inFlightBytes -= batch.bytes;
      outbox.sent(batch);
      if (!outbox.isEmpty) this.scheduleFlush();
    });
    socket.uncork();
  }

  #closed(): void {
    this.#state = "closed";
    if (this.#flush) clearImmediate(this.#flush);
    if (this.#pings) clearInterval(this.#pings);
    if (this.#closing) clearTimeout(this.#closing);
    for (const batch of this.#inFlight) this.#outbox?.lost(batch);
    this.#inFlight.clear();
    this.#hooks.closed(this.#closeText, this.#error);
  }
}

const nothing = (): void => {};

/** Returns microseconds that fit a ping; they wrap to 0 after 71 minutes. */
function clockUs(): number {
  return Math.floor(performance.now() * 1000) >>> 0;
}
