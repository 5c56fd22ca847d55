/**
 * Scenarios to search. Together they cover both paths, two keys and one, overwrites, deletes, conditions, and silent
 * nodes.
 */
import { object, PROMPT_MESSAGES, type Scenario, scenario, tombstone } from "./scenario.ts";

const absent = (name: string) => object(name, "x", { type: "absent" });

/** Delivers questions about the outcome of an upload at once too, which reduces the states of conflicts tenfold. */
const PROMPT_QUESTIONS = [...PROMPT_MESSAGES, "pod.probe"];

export const scenarios = {
  /** Lets purges overtake appends, and answers overtake each other. */
  "one upload, with every message late": scenario({
    uploads: [object("a", "x")],
    promptMessages: ["pod.note"],
    racingTimers: ["flush", "purge"],
  }),
  "two concurrent uploads of two keys": scenario({ uploads: [object("a", "x"), object("b", "y")] }),
  "an overwrite": scenario({ uploads: [object("a", "x"), object("b", "x")], begin: "after answer" }),
  /** The acknowledgement relies on a shard in a page cache, which the coordinator has to confirm. */
  "an upload and a delete, while a pod and another pod's stash device are silent": scenario({
    uploads: [object("a", "x"), tombstone("b", "x")],
    down: ["p2", "s2"],
    promptMessages: PROMPT_QUESTIONS,
  }),
  "an overwrite, while a pod and another pod's stash device are silent": scenario({
    uploads: [object("a", "x"), object("b", "x")],
    begin: "after answer",
    down: ["p2", "s2"],
    racingTimers: ["flush", "purge"],
  }),
  "direct: two concurrent uploads of one key": scenario({
    uploads: [object("a", "x"), object("b", "x")],
    isStashEnabled: false,
  }),
  "direct: a concurrent upload and delete": scenario({
    uploads: [object("a", "x"), tombstone("b", "x")],
    begin: "free",
    isStashEnabled: false,
    promptMessages: PROMPT_QUESTIONS,
  }),
  "direct: two uploads that require the key to be absent": scenario({
    uploads: [absent("a"), absent("b")],
    isStashEnabled: false,
    promptMessages: PROMPT_QUESTIONS,
  }),
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;
