import { expect, test } from "vitest";
import { nextOccurrences, occurrencesBetween } from "./occurrences.ts";

const at = (text: string) => new Date(text);
const iso = (instants: Date[]) => instants.map((instant) => instant.toISOString().replace(".000Z", "Z"));
const berlin = { cron: "30 2 * * *", timeZone: "Europe/Berlin" };
const hourly = { cron: "17 * * * *", timeZone: "UTC" };

test.each([
  ["an hourly schedule", hourly, "2026-11-21T10:00:00Z", ["2026-11-21T10:17:00Z", "2026-11-21T11:17:00Z"]],
  ["strictly after", hourly, "2026-11-21T10:17:00Z", ["2026-11-21T11:17:00Z", "2026-11-21T12:17:00Z"]],
  ["in its time zone", berlin, "2026-11-21T00:00:00Z", ["2026-11-21T01:30:00Z", "2026-11-22T01:30:00Z"]],
  [
    "over the hour that summer time leaves out",
    { ...berlin, cron: "30 12 * * *" },
    "2026-03-28T00:00:00Z",
    ["2026-03-28T11:30:00Z", "2026-03-29T10:30:00Z"],
  ],
  [
    "over the hour that winter time repeats",
    { ...berlin, cron: "30 12 * * *" },
    "2026-10-24T00:00:00Z",
    ["2026-10-24T10:30:00Z", "2026-10-25T11:30:00Z"],
  ],
  [
    "on a leap day",
    { cron: "0 0 29 2 *", timeZone: "UTC" },
    "2026-01-01T00:00:00Z",
    ["2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z"],
  ],
])("the next occurrences are right: %s", (_, recurrence, after, expected) => {
  expect(iso(nextOccurrences(recurrence, at(after), 2))).toEqual(expected);
});

test.each([
  ["neither end's neighbour", "2026-11-21T10:18:00Z", "2026-11-21T11:16:59Z", []],
  ["the end, not the beginning", "2026-11-21T10:17:00Z", "2026-11-21T11:17:00Z", ["2026-11-21T11:17:00Z"]],
  [
    "oldest first",
    "2026-11-21T10:00:00Z",
    "2026-11-21T12:00:00Z",
    ["2026-11-21T10:17:00Z", "2026-11-21T11:17:00Z"],
  ],
  [
    "the newest when there are too many",
    "2020-01-01T00:00:00Z",
    "2026-11-21T12:00:00Z",
    ["2026-11-21T09:17:00Z", "2026-11-21T10:17:00Z", "2026-11-21T11:17:00Z"],
  ],
  ["nothing in an empty range", "2026-11-21T12:00:00Z", "2026-11-21T12:00:00Z", []],
])("the occurrences between two instants include %s", (_, after, until, expected) => {
  expect(iso(occurrencesBetween(hourly, at(after), at(until), 3))).toEqual(expected);
});

test.each([
  ["30 2 * * *", 366],
  ["30 */6 * * *", 4 * 366],
  ["0 3 * * 1", 60],
])(
  "a year with Berlin's clock changes at %s has the same occurrences in both directions",
  (cron, countMax) => {
    const recurrence = { cron, timeZone: "Europe/Berlin" };
    const [after, until] = [at("2026-01-01T00:00:00Z"), at("2027-01-01T00:00:00Z")];
    const forward = nextOccurrences(recurrence, after, countMax).filter((instant) => instant <= until);
    expect(iso(occurrencesBetween(recurrence, after, until, 2_000))).toEqual(iso(forward));
    expect(new Set(iso(forward)).size).toBe(forward.length);
  },
);

test("a daily schedule in the hour skipped by summer time still runs that day, and in the repeated hour once", () => {
  const between = (after: string, until: string) => occurrencesBetween(berlin, at(after), at(until), 10);
  expect(between("2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z")).toHaveLength(1);
  expect(between("2026-10-24T12:00:00Z", "2026-10-25T12:00:00Z")).toHaveLength(1);
});
