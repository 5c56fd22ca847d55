import { describe, expect, it } from "vitest";
import { brokenMachines } from "./broken-machines.ts";
import { object, type Scenario, scenario } from "./scenario.ts";
import { type ScenarioName, scenarios } from "./scenarios.ts";
import { explore } from "./search.ts";

/** Each search takes seconds on a core of its own, and minutes on a busy machine. */
const TIMEOUT_MS = 900_000;

describe("no order of events and no power cut breaks a promise", () => {
  /** A change of the protocol shows up here: check that it was meant to add or remove states. */
  const sizes: Record<
    ScenarioName,
    readonly [states: number, transitions: number, cuts: number, images: number]
  > = {
    "one upload, with every message late": [197264, 1049781, 1142, 66],
    "two concurrent uploads of two keys": [79011, 253581, 17992, 5076],
    "an overwrite": [58299, 166815, 10298, 2338],
    "an upload and a delete, while a pod and another pod's stash device are silent": [
      128365, 555774, 12635, 5476,
    ],
    "an overwrite, while a pod and another pod's stash device are silent": [8126, 26997, 2311, 927],
    "direct: two concurrent uploads of one key": [56193, 246794, 2422, 566],
    "direct: a concurrent upload and delete": [8314, 25302, 3308, 1202],
    "direct: two uploads that require the key to be absent": [27672, 77553, 2583, 1091],
  };

  for (const [name, size] of Object.entries(sizes) as [ScenarioName, (typeof sizes)[ScenarioName]][]) {
    it(`in ${name}: ${size[0]} states, ${size[2]} power cuts, ${size[3]} recoveries`, {
      timeout: TIMEOUT_MS,
    }, () => {
      const { stateCount, transitionCount, cutCount, imageCount } = explore(scenarios[name]);
      expect([stateCount, transitionCount, cutCount, imageCount]).toEqual(size);
    });
  }
});

describe("the search finds the shortest sequence of events by which a broken rule breaks a promise", () => {
  const plain = scenario({ uploads: [object("a", "x")] });
  const contest = scenario({ uploads: [object("a", "x"), object("b", "x")] });

  it("in a coordinator that counts written shards as durable", () => {
    expect(storyWith("a coordinator that counts written shards as durable", plain)).toEqual([
      "S1: a was promised and has 0 durable shards, not 2.",
      "  1. c0: a client begins to put object a at x",
      "  2. p0: pod.append of a arrives from c0",
      "  3. p1: pod.append of a arrives from c0",
    ]);
  });

  it("in a coordinator that answers no before the outcome is known", { timeout: TIMEOUT_MS }, () => {
    expect(storyWith("a coordinator that answers no before the outcome is known", contest)).toEqual([
      "S7: a is seen after its client was answered that it does not exist.",
      "  a power cut left p1 with b1, s0 with a2 b1, s1 with a0, s2 with a1, after these events:",
      "  1. c0: a client begins to put object a at x",
      "  2. c0: a client begins to put object b at x",
      "  3. p0: pod.append of b arrives from c0",
      "  4. p0: pod.append of a arrives from c0",
      "  5. p1: pod.append of b arrives from c0",
      "  6. p1: pod.append of a arrives from c0",
    ]);
  });

  it("in a pod that asks for a purge of shards that it has only written", () => {
    expect(storyWith("a pod that asks for a purge of shards that it has only written", plain)).toEqual([
      "S3: a stash dropped shard 0 of a, and its pod has no durable copy.",
      "  a power cut left s0 with a2, s1 with a0, s2 with a1, after these events:",
      "  1. c0: a client begins to put object a at x",
    ]);
  });

  it("in a pod that settles without asking the stash and its peers", () => {
    expect(storyWith("a pod that settles without asking the stash and its peers", plain)).toEqual([
      "S7: x held nothing, and then a.",
      "  a power cut left s0 with a2, s1 with a0, s2 with a1, after these events:",
      "  1. c0: a client begins to put object a at x",
    ]);
  });

  it("in a stash device that answers before its group commit", () => {
    expect(storyWith("a stash device that answers before its group commit", plain)).toEqual([
      "S1: a was promised and has 0 durable shards, not 2.",
      "  1. c0: a client begins to put object a at x",
      "  2. p0: pod.append of a arrives from c0",
      "  3. p1: pod.append of a arrives from c0",
    ]);
  });
});

function storyWith(broken: keyof typeof brokenMachines, searched: Scenario): string[] {
  try {
    explore(searched, brokenMachines[broken]);
  } catch (error) {
    if (error instanceof Error) return error.message.split("\n");
  }
  return ["nothing was found"];
}
