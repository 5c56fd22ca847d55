import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";

const module = JSON.stringify(new URL("./standard-output.ts", import.meta.url).href);

/** Starts a process that waits for its standard input to end, writes lines with the output, and ends with code 3. */
function start(lines: string) {
  const script = `
    const { lineOutput } = await import(${module});
    const output = lineOutput();
    process.stdin.resume().on("end", () => {
      for (const line of ${lines}) output.write(line);
      process.exit(3);
    });
  `;
  return spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
}

test("a process whose log reader has gone still ends, with its own exit code", async () => {
  const child = start(`["one\\n", "two\\n"]`);
  child.stdout?.destroy();
  child.stdin?.end();
  expect(await once(child, "exit")).toEqual([3, null]);
});

test("a reader gets every line whole, even if they do not fit into the pipe", async () => {
  const child = start(`Array.from({ length: 40 }, (_, i) => String(i % 10).repeat(9_999) + "\\n")`);
  child.stdin?.end();
  const exited = once(child, "exit");
  let text = "";
  for await (const chunk of child.stdout ?? []) text += chunk;
  expect(await exited).toEqual([3, null]);
  expect(text.length).toBe(400_000);
  expect(text.split("\n").every((line, i) => line === "" || line === String(i % 10).repeat(9_999))).toBe(
    true,
  );
});
