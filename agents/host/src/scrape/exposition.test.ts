import { expect, test } from "vitest";
import { ExpositionReader, expositionBounds, mergeSamples } from "./exposition.ts";

const NOW_MS = 1_800_000_000_000;

function read(text: string, { wanted = ["a"], bounds = expositionBounds, chunkBytes = 7 } = {}) {
  const reader = new ExpositionReader(new Set(wanted), NOW_MS, bounds);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.push(bytes.subarray(at, at + chunkBytes));
  return reader.end();
}
const plain = (text: string, wanted = ["a"]) =>
  [...read(text, { wanted })].map(([name, samples]) => [
    name,
    samples.map(({ labels, value }) => [Object.fromEntries(labels), value]),
  ]);

test.each<[string, string, unknown]>([
  ["a name alone", "a 1\n", [[{}, 1]]],
  ["no line break at the end", "a 1", [[{}, 1]]],
  ["Windows line breaks", "a 1\r\n", [[{}, 1]]],
  ["labels with blanks and a trailing comma", 'a { x = "1" , y="2", } 2.5e3\n', [[{ x: "1", y: "2" }, 2500]]],
  ["labels", 'a{x="1", y="2",} 2.5e3\n', [[{ x: "1", y: "2" }, 2500]]],
  ["empty labels", "a{} 3\n", [[{}, 3]]],
  ["non-ASCII letters split between packets", 'a{x="µs ü"} 3\n', [[{ x: "µs ü" }, 3]]],
  ["escapes", 'a{x="\\\\ \\" \\n }"} 3\n', [[{ x: '\\ " \n }' }, 3]]],
  ["a timestamp of now", `a 3 ${NOW_MS}\n`, [[{}, 3]]],
  ["infinite values and NaN", "a NaN\na +Inf\na -Inf\n", undefined],
  ["the same series twice", 'a{x="1",y="2"} 3\na{y="2",x="1"} 4\n', [[{ x: "1", y: "2" }, 3]]],
  ["an outdated sample", `a 3 ${NOW_MS - 300_001}\n`, undefined],
  ["malformed lines of metrics that were not requested", "b{ nonsense\nabc 1\n<html>\n# a 1\n", undefined],
  ["a value that is not a number", "a one\n", "refused"],
  ["no value", "a\n", "refused"],
  ["labels without an end", 'a{x="1" 3\n', "refused"],
  ["a label without quotes", "a{x=1} 3\n", "refused"],
  ["more than a timestamp", "a 1 2 3\n", "refused"],
])("text with %s is parsed, skipped or refused", (_, text, expected) => {
  if (expected === "refused") {
    expect(() => read(text)).toThrow(/Line 1 is not a sample/);
    return;
  }
  expect(plain(text)[0]?.[1]).toEqual(expected);
});

test("a label may have any name, including names of object properties", () => {
  const [sample] = read('a{__proto__="x",constructor="y"} 1\n').get("a") ?? [];
  expect([...(sample?.labels ?? [])]).toEqual([
    ["__proto__", "x"],
    ["constructor", "y"],
  ]);
});

test("bytes, the length of a line and the number of samples are limited", () => {
  const bounds = { ...expositionBounds, bytesMax: 1000, lineCharsMax: 100, samplesMax: 3 };
  const refused = (text: string) => () => read(text, { bounds });
  expect(refused("#\n".repeat(501))).toThrow("It has more than 1000 bytes.");
  expect(refused(`a 1\n# ${"x".repeat(99)}`)).toThrow("Line 2 has more than 100 characters.");
  expect(refused('a{x="1"} 1\na{x="2"} 1\na{x="3"} 1\n')).not.toThrow();
  expect(refused('a{x="1"} 1\na{x="2"} 1\na{x="3"} 1\na{x="4"} 1\n')).toThrow("more than 3 samples");
});

test("the first of two addresses that report the same sample takes precedence", () => {
  const one = read('a{x="1"} 1\n');
  const other = read('a{x="1"} 2\na{x="2"} 2\nc 5\n', { wanted: ["a", "c"] });
  const merged = mergeSamples([one, other]);
  expect(merged.get("a")?.map(({ value }) => value)).toEqual([1, 2]);
  expect(merged.get("c")?.map(({ value }) => value)).toEqual([5]);
});
