import { expect, test } from "vitest";
import { createView, renderSteps, type Step } from "./view.ts";

const step = (difference: Partial<Step>): Step => ({
  label: "Database",
  state: "done",
  detail: "Postgres 18.4",
  elapsedMs: 1234,
  ...difference,
});

const render = (steps: Step[], columns = 80) => renderSteps(steps, 0, { columns, isColoured: false });

test.each<[Partial<Step>, RegExp]>([
  [{}, /^ {2}✓ Database {5}Postgres 18\.4 +1\.2 s$/],
  [{ state: "running" }, /^ {2}⠋ Database {5}Postgres 18\.4 +1\.2 s$/],
  [{ state: "failed" }, /^ {2}✗ Database/],
  [{ state: "waiting" }, /^ {2}· Database +$/],
])("a step %j is drawn as %s", (difference, line) => {
  expect(render([step(difference)])[1]).toMatch(line);
});

test("no line is wider than the terminal", () => {
  const detail = "a very long story about what is going on in this step of the start";
  for (const columns of [40, 60, 80, 200]) {
    for (const line of render([step({ detail })], columns)) expect(line.length).toBeLessThanOrEqual(columns);
  }
});

function fakeTerminal(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, columns: 80, written, write: (text: string) => written.push(text) };
}

test("every step is printed as one plain line if the output is not a terminal", async () => {
  const terminal = fakeTerminal(false);
  const view = createView(terminal, {}, ["Worker"]);
  await view.step("Worker", async () => "ready");
  view.say("Stashlight is running.");
  expect(terminal.written.join("")).toMatch(/^Worker: ready \(\d\.\d s\)\nStashlight is running\.\n$/);
});

test("the list is redrawn in place on a terminal, and the cursor is restored", async () => {
  const terminal = fakeTerminal(true);
  const view = createView(terminal, { NO_COLOR: "1" }, ["Worker"]);
  await view.step("Worker", async () => "ready");
  view.say("Stashlight is running.");
  const text = terminal.written.join("");
  expect(text.startsWith("\x1b[?25l")).toBe(true);
  expect(text).toContain("\x1b[3A");
  expect(text).toContain("✓ Worker");
  expect(text.endsWith("\x1b[?25hStashlight is running.\n")).toBe(true);
  expect(text).not.toContain("\x1b[32m");
});

test("a failed step is marked, and its failure passed on", async () => {
  const terminal = fakeTerminal(true);
  const view = createView(terminal, { NO_COLOR: "1" }, ["Worker"]);
  const failure = view.step("Worker", () => Promise.reject(new Error("no")));
  await expect(failure).rejects.toThrow("no");
  view.settle();
  expect(terminal.written.join("")).toContain("✗ Worker");
});

test("a note is printed above the steps, which continue to be drawn", async () => {
  const terminal = fakeTerminal(true);
  const view = createView(terminal, { NO_COLOR: "1" }, ["Worker", "Console"]);
  view.note("Probe is running again.");
  await view.step("Console", async () => ({ failure: "not running yet" }));
  view.settle();
  const text = terminal.written.join("");
  expect(text).toContain("\x1b[4A\x1b[JProbe is running again.\n");
  expect(text.slice(text.indexOf("Probe is running again."))).toContain("✗ Console      not running yet");
});

test("a failed step that does not prevent startup is printed as one plain line, like a note", async () => {
  const terminal = fakeTerminal(false);
  const view = createView(terminal, {}, ["Console"]);
  await view.step("Console", async () => ({ failure: "not running yet" }));
  view.note("Console is running again.");
  expect(terminal.written.join("")).toMatch(
    /^Console: not running yet \(\d\.\d s\)\nConsole is running again\.\n$/,
  );
});
