/** Tests the handshake without a network: only the right key opens a connection. */
import { expect, test } from "vitest";
import {
  frameLengthBytes,
  frameTypes,
  HANDSHAKE_FRAME_BYTES_MAX,
  readHeader,
  sealHeader,
} from "./codec/frame.ts";
import { decodeHello, decodeProof, encodeHello, encodeProof, type Hello } from "./codec/handshake.ts";
import { encodeMessage } from "./codec/messages.ts";
import { type EncodedFrame, FrameWriter } from "./codec/writer.ts";
import { FrameError } from "./errors.ts";
import type { Greeting, Reply } from "./greeting.ts";
import { createProof, isProof } from "./proof.ts";
import { makeFind } from "./testing/messages.ts";
import { makeGreeting, makeGreetingAnswer, makeNodeKeys, nodePrivateKey } from "./testing/nodes.ts";

const writer = new FrameWriter();

/** Converts an encoded frame to the frame that the other side receives. */
function received({ slab, start, end }: EncodedFrame) {
  const bytes = Buffer.from(slab.subarray(start, end));
  return { header: readHeader(bytes, 0, HANDSHAKE_FRAME_BYTES_MAX), bytes, at: 0 };
}

function saidBy(reply: Reply): EncodedFrame {
  if (reply.type === "refuse" || reply.frame === null)
    throw new Error(`The handshake did not continue: ${reply.type}.`);
  return reply.frame;
}

interface Conversation {
  readonly hello: EncodedFrame;
  readonly challenge: EncodedFrame;
  readonly proof: EncodedFrame;
  readonly welcomed: Reply;
}

function converse(caller: Greeting, called: Greeting): Conversation {
  const hello = caller.begin() as EncodedFrame;
  const challenge = saidBy(called.hear(received(hello)));
  const proof = saidBy(caller.hear(received(challenge)));
  return { hello, challenge, proof, welcomed: called.hear(received(proof)) };
}

const notProved = { type: "refuse", refusal: { reason: "notProved" } };

test("two nodes with their keys open a connection, and each knows the other", () => {
  const [caller, called] = [makeGreeting(), makeGreetingAnswer()];
  const { welcomed } = converse(caller, called);
  expect(welcomed).toMatchObject({ type: "open", version: 8, hello: { nodeId: "coordinator" } });
  const opened = caller.hear(received(saidBy(welcomed)));
  expect(opened).toMatchObject({ type: "open", hello: { nodeId: "pod-02" }, frame: null });
});

test("a node of the previous version is answered in that version", () => {
  const [caller, called] = [makeGreeting(), makeGreetingAnswer()];
  const { hello } = decodeHello(received(caller.begin() as EncodedFrame)) as { hello: Hello };
  const older = { own: 7, oldest: 7 };
  const said = encodeHello(writer, "hello", hello, older);
  const challenge = saidBy(called.hear(received(said)));
  const bytes = ({ slab, start, end }: EncodedFrame) => Buffer.from(slab.subarray(start, end));
  const transcript = { hello: bytes(said), challenge: bytes(challenge), channel: new Uint8Array(0) };
  const proof = createProof(nodePrivateKey("coordinator"), "caller", transcript);
  expect(called.hear(received(encodeProof(writer, "proof", proof)))).toMatchObject({
    type: "open",
    version: 7,
  });
});

test.each(["pod-07", "stash-01", "a key of another vault"])(
  "a caller with the key of %s is refused",
  (name) => {
    const keys = { ...makeNodeKeys("coordinator"), own: nodePrivateKey(name) };
    expect(converse(makeGreeting({ keys }), makeGreetingAnswer()).welcomed).toMatchObject({
      ...notProved,
      nodeId: "coordinator",
      refusal: { text: 'The other side calls itself "coordinator" but does not have that node\'s key.' },
    });
  },
);

test.each(["coordinator", "pod-07", "a key of another vault"])(
  "a called node with the key of %s is refused",
  (name) => {
    const caller = makeGreeting();
    const keys = { ...makeNodeKeys("pod-02"), own: nodePrivateKey(name) };
    const { welcomed } = converse(caller, makeGreetingAnswer({ keys }));
    expect(caller.hear(received(saidBy(welcomed)))).toMatchObject({ ...notProved, nodeId: "pod-02" });
  },
);

test("a recorded proof is not valid in another conversation, for either side", () => {
  const [caller, called] = [makeGreeting(), makeGreetingAnswer()];
  const recorded = converse(caller, called);
  const again = makeGreetingAnswer();
  again.hear(received(recorded.hello));
  expect(again.hear(received(recorded.proof))).toMatchObject(notProved);
  const fresh = makeGreeting();
  fresh.begin();
  fresh.hear(received(recorded.challenge));
  expect(fresh.hear(received(saidBy(recorded.welcomed)))).toMatchObject(notProved);
});

test("a node's own frames sent back to it prove nothing", () => {
  const caller = makeGreeting();
  const hello = caller.begin() as EncodedFrame;
  expect(() => caller.hear(received(hello))).toThrow("Received a hello instead of a challenge.");
  const { hello: own } = decodeHello(received(hello)) as { hello: Hello };
  const mirrored = { ...own, expectedNodeId: own.nodeId };
  const reply = makeGreeting().hear(received(encodeHello(writer, "challenge", mirrored)));
  expect(reply).toMatchObject({ type: "refuse", refusal: { reason: "wrongNode" } });
  const challenge = encodeHello(writer, "challenge", {
    ...own,
    nodeId: "pod-02",
    expectedNodeId: own.nodeId,
  });
  const proof = saidBy(caller.hear(received(challenge)));
  const reflected = encodeProof(writer, "welcome", decodeProof(received(proof)));
  expect(caller.hear(received(reflected))).toMatchObject(notProved);
});

test("a proof is valid for one role in the conversation only", () => {
  const transcript = { hello: Buffer.from("a"), challenge: Buffer.from("b"), channel: Buffer.from("c") };
  const key = nodePrivateKey("pod-02");
  const publicKey = makeNodeKeys("pod-03").publicKeyOf("pod-02", null);
  if (publicKey === null) throw new Error("Every name has a key here.");
  const proof = createProof(key, "caller", transcript);
  expect(isProof(publicKey, "caller", transcript, proof)).toBe(true);
  expect(isProof(publicKey, "called", transcript, proof)).toBe(false);
  const moved = { hello: Buffer.from("ab"), challenge: Buffer.from(""), channel: Buffer.from("c") };
  expect(isProof(publicKey, "caller", moved, proof)).toBe(false);
});

const changes: [string, Partial<Hello>][] = [
  ["boot id", { bootId: 99 }],
  ["nonce", { nonce: "00".repeat(32) }],
];

test.each(changes)("a man in the middle who changes the %s is detected by both sides", (_name, change) => {
  const altered = (frame: EncodedFrame, type: "hello" | "challenge") => {
    const { hello } = decodeHello(received(frame)) as { hello: Hello };
    return received(encodeHello(writer, type, { ...hello, ...change }));
  };
  const [caller, called] = [makeGreeting(), makeGreetingAnswer()];
  const challenge = saidBy(called.hear(altered(caller.begin() as EncodedFrame, "hello")));
  const proof = saidBy(caller.hear(received(challenge)));
  expect(called.hear(received(proof))).toMatchObject(notProved);
  const [caller2, called2] = [makeGreeting(), makeGreetingAnswer()];
  const challenge2 = saidBy(called2.hear(received(caller2.begin() as EncodedFrame)));
  const proof2 = saidBy(caller2.hear(altered(challenge2, "challenge")));
  expect(called2.hear(received(proof2))).toMatchObject(notProved);
});

test("a proof is valid in its own TLS session only", () => {
  const channel = (byte: number) => ({ channel: new Uint8Array(32).fill(byte) });
  expect(converse(makeGreeting(channel(1)), makeGreetingAnswer(channel(1))).welcomed.type).toBe("open");
  expect(converse(makeGreeting(channel(1)), makeGreetingAnswer(channel(2))).welcomed).toMatchObject(
    notProved,
  );
  expect(converse(makeGreeting(channel(1)), makeGreetingAnswer()).welcomed).toMatchObject(notProved);
});

test("a downgrade to an earlier version or to no proof is refused", () => {
  const old = {
    clusterId: "vault",
    nodeId: "pod-02",
    expectedNodeId: "coordinator",
    bootId: 1,
    epoch: 1,
    nonce: "5a".repeat(32),
  };
  const caller = makeGreeting();
  caller.begin();
  expect(caller.hear(received(encodeHello(writer, "challenge", old, { own: 3, oldest: 3 })))).toMatchObject({
    type: "refuse",
    refusal: { reason: "protocolVersion" },
  });
  const proof = encodeProof(writer, "welcome", "00".repeat(64));
  for (const early of [proof, encodeMessage(writer, makeFind(1))]) {
    const impatient = makeGreeting();
    impatient.begin();
    expect(() => impatient.hear(received(early))).toThrow(FrameError);
    expect(() => makeGreetingAnswer().hear(received(early))).toThrow(FrameError);
  }
});

test("a frame other than the expected one ends the handshake", () => {
  const { hello, challenge, proof } = converse(makeGreeting(), makeGreetingAnswer());
  const rows = [
    ["challenge", () => makeGreetingAnswer().hear(received(challenge))],
    ["proof", () => makeGreetingAnswer().hear(received(proof))],
    [
      "hello",
      () => {
        const called = makeGreetingAnswer();
        called.hear(received(hello));
        called.hear(received(hello));
      },
    ],
  ] as const;
  for (const [type, hear] of rows) expect(hear, type).toThrow(`Received a ${type} instead of a`);
  expect(Object.keys(frameTypes)).toHaveLength(9);
});

test("a truncated or too long handshake frame is refused", () => {
  const { hello, proof } = converse(makeGreeting(), makeGreetingAnswer());
  for (const frame of [hello, proof]) {
    for (const change of [-1, 1, -20]) {
      const { bytes, header } = received(frame);
      const headBytes = header.headBytes + change;
      const resized = Buffer.alloc(frameLengthBytes(header) + change);
      bytes.copy(resized);
      sealHeader(resized, 0, { ...header, headBytes });
      const called = makeGreetingAnswer();
      if (frame === proof) called.hear(received(hello));
      const hear = () => called.hear({ header: readHeader(resized, 0, 4096), bytes: resized, at: 0 });
      expect(hear).toThrow(FrameError);
    }
  }
});
