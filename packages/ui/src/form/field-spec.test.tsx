import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { choice, fieldTable, flag, number, optionalNumber, parsed, secret, text } from "./field-spec.ts";
import { FieldView } from "./field-view.tsx";

const table = fieldTable(
  {
    name: text("Name"),
    kind: choice(
      "Kind",
      [
        { value: "mail", label: "Mail" },
        { value: "web", label: "Web" },
      ] as const,
      {
        initial: "web",
      },
    ),
    port: number("Port", { initial: "25", path: "config.port", min: 1, max: 65_535 }),
    budget: optionalNumber("Budget", { unit: "$", path: ["limits.budget", "costs"] }),
    to: parsed("text", "To", (typed) => ({ value: typed.split(",") })),
    password: secret("Password"),
    isOn: flag("On", { initial: true }),
    outage: number("Outage", { initial: "1", path: "faults.*.seconds" }),
  },
  { port: ({ kind }) => kind === "mail" },
);

test("a form begins with its fields' initial values", () => {
  expect(table.initial).toEqual({
    name: "",
    kind: "web",
    port: "25",
    budget: "",
    to: "",
    password: "",
    isOn: true,
    outage: "1",
  });
});

test("each field reads what is typed: trims text, keeps secrets unchanged, reads an empty optional number as null", () => {
  const typed = { ...table.initial, name: " a ", password: " b ", to: "x,y", budget: "2.5" };
  expect(table.read(typed)).toEqual({
    values: {
      name: "a",
      kind: "web",
      port: 25,
      budget: 2.5,
      to: ["x", "y"],
      password: " b ",
      isOn: true,
      outage: 1,
    },
    problems: {},
  });
  expect(table.read(table.initial).values.budget).toBeNull();
});

test.each([
  [{ outage: "soon" }, { outage: "Enter a number, such as 10 or 0.5." }],
  [{ outage: "" }, { outage: "Enter a number, such as 10 or 0.5." }],
  [{ outage: "Infinity" }, { outage: "Enter a number, such as 10 or 0.5." }],
  [{ budget: "much" }, { budget: "Enter a number, such as 10 or 0.5." }],
  [{ kind: "mail", port: "65536" }, { port: "Enter a number, such as 10 or 0.5." }],
  [{ kind: "web", port: "65536" }, {}],
] as const)("only visible fields report problems: %o", (changes, problems) => {
  expect(table.read({ ...table.initial, ...changes }).problems).toEqual(problems);
});

test.each([
  [undefined, "1,500", "Enter a number, such as 10 or 0.5."],
  ["thousands", "1,500", 1500],
  ["decimal", "1,5", 1.5],
] as const)("a number field whose comma means %s reads %s as %s", (comma, typed, expected) => {
  const { value, problem } = number("Rate", { comma }).read(typed);
  expect(problem ?? value).toBe(expected);
});

test.each([
  ["name", "name"],
  ["name.0", "name"],
  ["names", null],
  ["config.port", "port"],
  ["limits.budget.amount", "budget"],
  ["costs", "budget"],
  ["faults.3.seconds", "outage"],
  ["faults", null],
  [null, null],
])("a refusal of %s is assigned to the field %s", (path, field) => {
  expect(table.fieldAt(path, { ...table.initial, kind: "mail" })).toBe(field);
});

test("a refusal is assigned to no field that the form does not show", () => {
  expect(table.fieldAt("config.port", table.initial)).toBeNull();
});

test("a refusal is assigned to the field with the closest path", () => {
  const nested = fieldTable({ all: text("All", { path: "a" }), one: text("One", { path: "a.b" }) });
  expect(nested.fieldAt("a.b.c", nested.initial)).toBe("one");
  expect(nested.fieldAt("a.c", nested.initial)).toBe("all");
});

test("a field is shown with its unit, help and problem", () => {
  const html = renderToStaticMarkup(
    <FieldView
      name="length"
      spec={number("Length", { unit: "minutes", help: "At most a day." })}
      value="soon"
      onChange={() => {}}
      error="Enter a number."
    />,
  );
  for (const part of [
    "Length, minutes",
    "At most a day.",
    "Enter a number.",
    'value="soon"',
    'inputMode="decimal"',
  ]) {
    expect(html).toContain(part);
  }
  expect(html).toContain('aria-invalid="true"');
});
