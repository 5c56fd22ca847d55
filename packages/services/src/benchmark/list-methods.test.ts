import { methods } from "@stashlight/benchmark/methods";
import type { Principal } from "@stashlight/contracts/user";
import { expect, test } from "vitest";
import type { Context } from "../context.ts";
import { listBenchmarkMethods } from "./list-methods.ts";

const ctx = { principal: { role: "viewer" } as Principal } as Context;

test("each method lists all of its parameters with the defaults that the method uses", async () => {
  const rows = await listBenchmarkMethods({ ctx });
  expect(rows.map(({ name }) => name)).toEqual(methods.map(({ name }) => name));
  for (const [index, { parameters }] of rows.entries()) {
    const defaults = Object.fromEntries(parameters.map((each) => [each.name, each.defaultValue]));
    expect(methods[index]?.parameters.parse({})).toEqual(defaults);
  }
});

test("a parameter has a label, the unit in its name, and the range that the method accepts", async () => {
  const [smallUploads, ...others] = await listBenchmarkMethods({ ctx });
  const backup = others.find(({ name }) => name === "backup");
  expect(backup?.parameters.find(({ name }) => name === "windowHours")).toMatchObject({
    label: "Nightly window",
    unit: "h",
    min: 1,
    max: 24,
    defaultValue: 8,
  });
  const parameter = (name: string) => smallUploads?.parameters.find((each) => each.name === name);
  expect(parameter("pauseMs")).toMatchObject({
    label: "Pause",
    kind: "number",
    unit: "ms",
    min: 0,
    max: 60_000,
  });
  expect(parameter("sizesBytes")).toMatchObject({
    kind: "numbers",
    unit: "B",
    isInteger: true,
    max: 104_857_600,
  });
  expect(parameter("ratePerSecond")).toMatchObject({ unit: "1/s", isInteger: false });
  expect(parameter("repetitionCount")).toMatchObject({ unit: null, min: 1 });
  expect(parameter("mode")).toMatchObject({ kind: "choice", options: ["closed", "constant-rate"] });
  expect(parameter("interleavesSizes")).toMatchObject({ kind: "flag", defaultValue: true });
});
