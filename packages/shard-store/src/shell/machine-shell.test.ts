import type { Message, Send, SetTimer, Shard } from "@stashlight/write-path";
import { expect, test, vi } from "vitest";
import { MachineShell } from "./machine-shell.ts";

type Asked = { readonly type: "asked" };
type Deed = { readonly type: "deed"; readonly name: string };
type Effect = Send | SetTimer | Deed;

/** A machine that answers each event with the given effects, in an environment without real time. */
class Bench {
  readonly done: string[] = [];
  readonly taken: string[] = [];
  readonly timers: { readonly delayMs: number; readonly action: () => void; isCancelled: boolean }[] = [];
  readonly shell: MachineShell<Asked, Effect>;

  constructor(
    effectsOf: (eventType: string) => readonly Effect[],
    onDeed: (name: string) => void = () => {},
  ) {
    this.shell = new MachineShell<Asked, Effect>({
      step: (event, nowMs) => {
        this.taken.push(`${event.type} at ${nowMs}`);
        return effectsOf(event.type);
      },
      carryOut: (effect, hands) => {
        if (effect.type === "send") hands.send(effect.to, effect.message);
        else if (effect.type === "setTimer") hands.setTimer(effect.key, effect.delayMs);
        else {
          this.done.push(effect.name);
          onDeed(effect.name);
        }
      },
      surroundings: {
        send: (to, { type }) => this.done.push(`${type} to ${to}`),
        startTimer: (delayMs, action) => {
          const timer = { delayMs, action, isCancelled: false };
          this.timers.push(timer);
          return () => {
            timer.isCancelled = true;
          };
        },
        defer: () => {},
        nowMs: () => 7,
      },
    });
  }
}

const deed = (name: string): Deed => ({ type: "deed", name });
const setTimer = (delayMs: number): SetTimer => ({ type: "setTimer", key: "flush", delayMs });

test("an event caused by an effect is processed after all effects of the previous event", () => {
  const bench: Bench = new Bench(
    (type) => (type === "asked" ? [deed("first"), deed("second")] : [deed("third")]),
    (name) => {
      if (name === "first") bench.shell.receive("p1", { type: "pod.greet", floor: "0" });
    },
  );
  bench.shell.take({ type: "asked" });
  expect(bench.done).toEqual(["first", "second", "third"]);
  expect(bench.taken).toEqual(["asked at 7", "message at 7"]);
});

test("a timer that is set again replaces the earlier one, and fires once", () => {
  const bench = new Bench((type) => (type === "asked" ? [setTimer(100)] : []));
  bench.shell.take({ type: "asked" });
  bench.shell.take({ type: "asked" });
  expect(bench.timers).toMatchObject([
    { delayMs: 100, isCancelled: true },
    { delayMs: 100, isCancelled: false },
  ]);
  bench.timers[1]?.action();
  expect(bench.taken).toEqual(["asked at 7", "asked at 7", "timer at 7"]);
});

test("a finished boot carries out no more effects, cancels its timers and accepts no events", () => {
  const bench: Bench = new Bench(
    () => [setTimer(100), deed("halt"), deed("never done")],
    () => bench.shell.stop(),
  );
  bench.shell.take({ type: "asked" });
  expect(bench.done).toEqual(["halt"]);
  expect(bench.timers).toMatchObject([{ isCancelled: true }]);
  bench.shell.take({ type: "asked" });
  bench.timers[0]?.action();
  expect(bench.taken).toEqual(["asked at 7"]);
});

const ignoreFull = () => {};

test("messages and timers wait while a shell holds them, and answers do not", () => {
  const bench = new Bench((type) => (type === "asked" ? [setTimer(100)] : []));
  const { shell, timers, taken } = bench;
  shell.take({ type: "asked" });
  shell.hold(ignoreFull);
  shell.receive("p1", { type: "pod.greet", floor: "0" });
  timers[0]?.action();
  expect(taken).toEqual(["asked at 7"]);
  shell.letGo();
  expect(taken.slice(1)).toEqual(["message at 7", "timer at 7"]);
  shell.hold(ignoreFull);
  shell.take({ type: "asked" });
  timers[1]?.action();
  // The answer sets the timer again, which replaces the one that is due.
  shell.take({ type: "asked" });
  shell.letGo();
  expect(taken.slice(3)).toEqual(["asked at 7", "asked at 7"]);
  shell.hold(ignoreFull);
  shell.receive("p1", { type: "pod.greet", floor: "0" });
  shell.stop();
  shell.letGo();
  expect(taken).toHaveLength(5);
});

test("held messages keep their payloads when the connection reuses its buffer", () => {
  const payloads: string[] = [];
  const shell = new MachineShell<Asked, Deed>({
    step: (event) => {
      if (event.type !== "message") return [];
      const { message } = event;
      const shards =
        "shards" in message ? message.shards : "shard" in message && message.shard ? [message.shard] : [];
      payloads.push(...shards.map(({ payload }) => Buffer.from(payload).toString()));
      return [];
    },
    carryOut: () => {},
    surroundings: { send: () => {}, startTimer: () => () => {}, defer: () => {}, nowMs: () => 0 },
  });
  const lent = Buffer.from("body");
  const shard = { shardIndex: 0, payload: lent, payloadCrc: 0 } as unknown as Shard;
  const onFull = vi.fn();
  shell.hold(onFull);
  shell.receive("c0", { type: "pod.append", shard } as unknown as Message);
  shell.receive("s0", { type: "pod.handoff", shards: [shard], damaged: [] } as unknown as Message);
  lent.fill(0);
  shell.letGo();
  expect(payloads).toEqual(["body", "body"]);
  expect(onFull).not.toHaveBeenCalled();
  shell.hold(onFull);
  const large = { ...shard, payload: Buffer.alloc(9 * 1_048_576) };
  for (let count = 0; count < 2; count++)
    shell.receive("c0", { type: "pod.append", shard: large } as unknown as Message);
  expect(onFull).toHaveBeenCalledOnce();
});

test("an observer of a shell receives an event before it is processed, and an effect before and after it is carried out", () => {
  const heard: string[] = [];
  const shell = new MachineShell<Asked, Deed>({
    step: () => {
      heard.push("step");
      return [deed("write")];
    },
    carryOut: ({ name }) => heard.push(name),
    surroundings: { send: () => {}, startTimer: () => () => {}, defer: () => {}, nowMs: () => 0 },
    watch: {
      taking: ({ type }) => heard.push(`taking ${type}`),
      asked: ({ name }) => heard.push(`asked to ${name}`),
      carriedOut: ({ name }) => heard.push(`did ${name}`),
    },
  });
  shell.take({ type: "asked" });
  expect(heard).toEqual(["taking asked", "step", "asked to write", "write", "did write"]);
});
