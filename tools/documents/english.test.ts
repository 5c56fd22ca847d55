import { expect, test } from "vitest";
import { checkEnglish } from "./english.ts";
import { readComments, readStrings } from "./source-texts.ts";

const refusedComments = [
  "What a node tells the ingest: a window whenever the wall clock is at a multiple",
  "Keeps answers about times that end now for whoever asks",
  "A sentence for the log of whoever is refused",
  "As if the machine had so many, which decides on the processes",
  "How many appends and positions mean a name, beyond the first",
  "So often every cell is measured.",
  "What is full when",
  "Nobody wants the weekly report.",
  "Whoever knows it may read it",
  "Whether the drive is full.",
  "Those of the run.",
  "The reason, as the page says it.",
  "A table that stands beside the chart.",
];

const secondNames = [
  "Requests under way",
  "9 nines per year",
  "Enter the access key id.",
  "A drive expects to fail",
];

test.each(secondNames)("refuses a second name for one thing: %s", (text) => {
  expect(checkEnglish("message", text)).not.toBeNull();
});

test.each(refusedComments)("refuses the comment: %s", (text) => {
  expect(checkEnglish("comment", text)).not.toBeNull();
});

const plain = [
  "Sends one metrics window per interval, aligned to the wall clock",
  "Caches live answers; expensive ones stay longer",
  "Reason logged by the refused peer",
  "CPU count to assume when choosing the process layout",
  "Reference count, minus one",
  "Runs per cell",
  "Capacity forecast",
  "No subscribers",
  "Anyone who knows the topic can read it",
  "p99 stands for the 99th percentile; a stand-alone agent understands it.",
];

test.each(plain)("passes the comment: %s", (text) => {
  expect(checkEnglish("comment", text)).toBeNull();
});

test("judges words, and not openings, in names of tests, pages and messages", () => {
  expect(checkEnglish("test name", "what fires is listed")).toBeNull();
  expect(checkEnglish("test name", "tells channels of what fires")).toBe(
    'has a test name with "tells"; write report, notify, show or distinguish.',
  );
  expect(checkEnglish("page text", "Nobody is subscribed.")).toContain('page text with "Nobody"');
  expect(checkEnglish("message", "Wait so long; asked so often")).toContain('message with "so often"');
});

test("reads comments with their lines, and consecutive line comments as one", () => {
  const source =
    "// One\n// comment.\nconst a = 1; /* Two. */\n\n/**\n * Three\n * lines.\n */\nconst b = 2;\n";
  expect(readComments("a.ts", source)).toEqual([
    { kind: "comment", text: "One\ncomment.", line: 1 },
    { kind: "comment", text: "Two.", line: 3 },
    { kind: "comment", text: "Three\nlines.", line: 5 },
  ]);
});

test("reads names of tests, text of pages, and sentences outside tests", () => {
  const tests = [
    'const a = "not a name of a test";',
    `test.each(rows)(\`has \${n} rows\`, () => {});`,
    'test("passes", () => {});',
  ].join("\n");
  expect(readStrings("a.test.ts", tests)).toEqual([
    { kind: "test name", text: "has … rows", line: 2 },
    { kind: "test name", text: "passes", line: 3 },
  ]);
  const page = 'const key = "one key";\nconst text = "has three words";\nconst p = <p>Page</p>;';
  expect(readStrings("a.tsx", page)).toEqual([
    { kind: "message", text: "has three words", line: 2 },
    { kind: "page text", text: "Page", line: 3 },
  ]);
});
