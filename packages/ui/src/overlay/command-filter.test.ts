import { expect, test } from "vitest";
import { filterCommands } from "./command-filter.ts";

const items = [
  { label: "Go to overview", group: "Navigation" },
  { label: "Invite user", group: "Actions", keywords: "people add" },
  { label: "Go to users", group: "Navigation", keywords: "people" },
  { label: "Users report", group: "Actions" },
];

test.each([
  ["", ["Go to overview", "Invite user", "Go to users", "Users report"]],
  ["user", ["Users report", "Invite user", "Go to users"]],
  ["go us", ["Go to users"]],
  ["PEOPLE", ["Invite user", "Go to users"]],
  ["  actions ", ["Invite user", "Users report"]],
  ["vault", []],
])("the query %j finds %j", (query, labels) => {
  expect(filterCommands(items, query).map((item) => item.label)).toEqual(labels);
});
