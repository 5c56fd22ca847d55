import { expect, test } from "vitest";
import { parseArguments } from "./arguments.ts";

const good = ["--ingest", "https://ingest.example.org", "--name", "probe-eu", "--state", "/var/lib/probe"];

test("a probe takes the ingest's address, its own name and its folder", () => {
  expect(parseArguments([...good, "--ca", "ca.pem", "--drives", "drives.json"])).toEqual({
    ingest: "https://ingest.example.org",
    name: "probe-eu",
    stateFolder: "/var/lib/probe",
    drivesFile: "drives.json",
    caFile: "ca.pem",
    enrolmentTokenFile: null,
  });
});

test.each([
  [["--name", "a", "--state", "b"], /^--ingest is missing/],
  [["--ingest", "ftp://x", "--name", "a", "--state", "b"], /^--ingest must be an address such as/],
  [["--ingest", "https://x/v1", "--name", "a", "--state", "b"], /not https:\/\/x\/v1/],
  [["--ingest", "https://x", "--name", "a b", "--state", "b"], /^--name: The name of a node/],
  [[...good, "--more"], /--more/],
])("the arguments %j are refused: %s", (args, message) => {
  expect(() => parseArguments(args)).toThrow(message);
});
