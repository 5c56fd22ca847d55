import { expect, test } from "vitest";
import { mutants } from "./list.ts";
import { mutantNamed, readSources } from "./load.ts";
import { mutate } from "./mutant.ts";

test("there are at least 30 mutants, each with a name of its own", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(30);
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});

test.each(mutants)("mutant $name finds its text exactly once, and changes it", (mutant) => {
  const sources = readSources(mutant.folder);
  const { path, text } = mutate(mutant, sources);
  const source = sources.find((candidate) => candidate.path === path);
  expect(text).not.toBe(source?.text);
  expect(text).toContain(mutant.replace);
});

test("a mutant whose text is gone, or is there twice, is refused by name", () => {
  const mutant = { name: "gone", folder: "pod", find: "x", replace: "y", breaks: "nothing" } as const;
  const source = (text: string) => [{ path: "a.ts", text }];
  expect(() => mutate(mutant, source("abc"))).toThrow('The text of mutant "gone" occurs 0 times in pod/');
  expect(() => mutate(mutant, source("x x"))).toThrow('The text of mutant "gone" occurs 2 times in pod/');
  expect(mutate(mutant, source("a$x")).text).toBe("a$y");
  expect(() => mutantNamed("gone")).toThrow('There is no mutant "gone"; choose from: ');
});
