import { expect, test } from "vitest";
import { parseArguments } from "./arguments.ts";

const given = ["--ingest", "http://127.0.0.1:4685", "--name", "db-1", "--state", "/var/lib/stashlight"];

test("a folder argument may name its drive", () => {
  expect(parseArguments([...given, "--fsync", "/srv/ssd0", "--fsync", "/tank/a=b=hdd"])).toEqual({
    ingest: "http://127.0.0.1:4685",
    name: "db-1",
    scrapeFile: null,
    stateFolder: "/var/lib/stashlight",
    fsyncFolders: [
      { folder: "/srv/ssd0", medium: null },
      { folder: "/tank/a=b", medium: "hdd" },
    ],
    caFile: null,
    enrolmentTokenFile: null,
  });
});

test.each<[string[], string]>([
  [given.slice(2), "--ingest is missing"],
  [["--ingest", "127.0.0.1", ...given.slice(2)], "--ingest must be an address such as"],
  [["--name", "a b", ...given.slice(0, 2), ...given.slice(4)], "--name: The name of a node can have"],
  [[...given, "--fsync", "data"], "--fsync must be an absolute path"],
  [[...given, ...Array.from({ length: 33 }, () => ["--fsync", "/a"]).flat()], "at most 32 times, not 33"],
  [[...given, "--disks"], "--disks"],
])("the arguments %j are refused: %s", (args, sentence) => {
  expect(() => parseArguments(args)).toThrow(sentence);
});
