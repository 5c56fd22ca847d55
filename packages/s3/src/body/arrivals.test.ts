import { PassThrough, Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Arrivals } from "./arrivals.ts";

async function takeAll(arrivals: Arrivals): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for (;;) {
    const piece = arrivals.take();
    if (piece === null) return pieces;
    if (piece !== undefined) pieces.push(piece);
    else await new Promise<void>((wake) => arrivals.wait(wake));
  }
}

test("pieces arrive in order and uncopied, and the end follows them", async () => {
  const given = [Buffer.from("one"), Buffer.from("two"), Buffer.from("three")];
  const pieces = await takeAll(new Arrivals(Readable.from(given, { objectMode: false })));
  expect(pieces).toEqual(given);
  pieces.forEach((piece, at) => void expect(piece).toBe(given[at]));
});

test("the end of a stream is detected even if the stream ended before it was read", async () => {
  const stream = new PassThrough();
  stream.resume().end();
  await new Promise((resolve) => stream.once("end", resolve));
  expect(new Arrivals(stream).take()).toBeNull();
});

test("a stream is paused while its reader is behind, and continues when the reader catches up", async () => {
  const stream = new PassThrough({ highWaterMark: 2 ** 20 });
  const arrivals = new Arrivals(stream);
  const given = Array.from({ length: 8 }, () => Buffer.alloc(65_536));
  for (const piece of given) stream.write(piece);
  while (!stream.isPaused()) await turn();
  expect(stream.readableLength).toBeGreaterThan(0);
  stream.end();
  expect(Buffer.concat(await takeAll(arrivals)).length).toBe(8 * 65_536);
});

test("a stream that breaks fails its reader, with the stream's own error or without one", async () => {
  const error = new Error("connection reset");
  for (const cause of [error, undefined]) {
    const stream = new PassThrough();
    const arrivals = new Arrivals(stream);
    const woken = new Promise<void>((wake) => arrivals.wait(wake));
    stream.destroy(cause);
    await woken;
    expect(() => arrivals.take()).toThrow(cause ?? "closed before its end");
    expect(() => new Arrivals(stream).take()).toThrow(cause ?? "closed before its end");
  }
});

test("bytes that arrive after a reader has stopped are left to the next one", async () => {
  const stream = new PassThrough();
  stream.write("first");
  const arrivals = new Arrivals(stream);
  await new Promise<void>((wake) => arrivals.wait(wake));
  expect(arrivals.take()?.toString()).toBe("first");
  arrivals.stop();
  stream.end("rest");
  expect(Buffer.concat(await takeAll(new Arrivals(stream))).toString()).toBe("rest");
});
