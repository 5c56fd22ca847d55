import type { CoordinatorEffect, PodEffect, StashEffect } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { mutants } from "./all-mutants.ts";
import { control } from "./control.ts";
import { mutantNamed, readSources } from "./install-mutant.ts";
import { mutate } from "./mutant.ts";

test("the list has at least 30 mutants, each with a unique name", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(30);
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});

type EffectType = (PodEffect<number> | StashEffect<number> | CoordinatorEffect)["type"];

/** An effect without a line here does not compile. */
const droppedBy = {
  send: "shell-drops-send",
  setTimer: "shell-drops-set-timer",
  halt: "shell-drops-halt",
  append: "shell-drops-append",
  kill: "shell-drops-kill",
  load: "shell-drops-load",
  flush: "shell-drops-flush",
  remember: "shell-drops-remember",
  persistRefusal: "shell-drops-persist-refusal",
  forgetRefusal: "shell-drops-forget-refusal",
  persistHorizon: "shell-drops-persist-horizon",
  answerPut: "shell-drops-answer-put",
  answerGet: "shell-drops-answer-get",
  answerList: "shell-drops-answer-list",
  reconstruct: "shell-drops-reconstruct",
} as const satisfies Record<EffectType, string>;

test.each(Object.entries(droppedBy))(
  "a shell that drops the effect %s is covered by a mutant: %s",
  (_type, name) => {
    expect(mutantNamed(name).folder).toBe("shell");
  },
);

test.each([...mutants, control])(
  "the text of mutant $name is found exactly once, and is changed",
  (mutant) => {
    const sources = readSources(mutant.folder);
    const { path, text } = mutate(mutant, sources);
    const source = sources.find((candidate) => candidate.path === path);
    expect(text).not.toBe(source?.text);
    expect(text).toContain(mutant.replace);
  },
);

test("a mutant whose text is missing or occurs twice is refused by name", () => {
  const mutant = { name: "gone", folder: "pod", find: "x", replace: "y", breaks: "nothing" } as const;
  const source = (text: string) => [{ path: "a.ts", text }];
  expect(() => mutate(mutant, source("abc"))).toThrow('The text of mutant "gone" occurs 0 times in pod/');
  expect(() => mutate(mutant, source("x x"))).toThrow('The text of mutant "gone" occurs 2 times in pod/');
  expect(mutate(mutant, source("a$x")).text).toBe("a$y");
  expect(() => mutantNamed("gone")).toThrow('There is no mutant "gone"; choose from: ');
});
