import { expect, test } from "vitest";
import { createScreen } from "./screen.ts";

function record(isTTY: boolean): { written: string[]; screen: ReturnType<typeof createScreen> } {
  const written: string[] = [];
  return { written, screen: createScreen({ write: (text) => written.push(text), isTTY, columns: 10 }) };
}

test("on a terminal a changing line is replaced, cut to the width, and removed before a permanent line", () => {
  const { written, screen } = record(true);
  screen.draw("one");
  screen.draw("a line that is too long");
  screen.say("done");
  screen.say("really");
  expect(written).toEqual(["\r\x1b[Kone", "\r\x1b[Ka line th", "\r\x1b[Kdone\n", "really\n"]);
});

test("writes only permanent lines if the output is not a terminal", () => {
  const { written, screen } = record(false);
  screen.draw("one");
  screen.say("done");
  expect(written).toEqual(["done\n"]);
});
