import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { countPorts, createLocalVault, writeVaultFile } from "../config/index.ts";
import { AGENT_OPTIONS, AGENT_USAGE, parseAgentArguments } from "./arguments.ts";

const folder = useTestFolder();

function writeVault(name: string): string {
  const layout = { podNodeCount: 1, stashNodeCount: 1, drivesPerStashNode: 3 };
  const volume = { segmentBytes: 1_048_576, segmentCount: 8 };
  const file = createLocalVault({
    ...layout,
    name,
    pieceBytes: 2_097_152,
    podVolume: volume,
    stashVolume: volume,
    scheme: { dataShardCount: 2, parityShardCount: 1 },
    ports: Array.from({ length: countPorts(layout) }, (_, at) => 30_000 + at),
  });
  const path = join(folder, `${name}.json`);
  writeVaultFile(path, file);
  return path;
}

test("the usage lists exactly the existing options", () => {
  const listed = [...AGENT_USAGE.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name]) => name);
  expect(listed).toEqual(Object.keys(AGENT_OPTIONS));
});

test("tokens are distinguished by role, and those of additional vaults by the vault's name", () => {
  const configs = ["first", "second", "third"].flatMap((name) => ["--config", writeVault(name)]);
  const tokens = ["any", "pod=p/token", "second:coordinator=dir=x/token"];
  const { enrolmentTokenFileOf, furtherTokenFiles } = parseAgentArguments([
    ...configs,
    ...["--node", "coordinator-1"],
    ...tokens.flatMap((value) => ["--enrolment-token-file", value]),
  ]);
  expect(enrolmentTokenFileOf("pod")).toBe("p/token");
  expect(enrolmentTokenFileOf("coordinator")).toBe("any");
  // The third vault accepts no other vault's token.
  expect(furtherTokenFiles).toEqual(["dir=x/token", null]);
});

test("the memory for the index is a number of MiB, and an invalid one is refused with an example", () => {
  const args = ["--config", writeVault("first"), "--node", "pod-1"];
  expect(parseAgentArguments(args).indexMemoryBytes).toBe(null);
  expect(parseAgentArguments([...args, "--index-memory", "128"]).indexMemoryBytes).toBe(134_217_728);
  for (const wrong of ["0", "127", "1.5", "4GB", ""]) {
    expect(() => parseAgentArguments([...args, "--index-memory", wrong])).toThrow(
      `--index-memory ${wrong}: a whole number of MiB of at least 128 is expected, such as 4096.`,
    );
  }
});

test("the cache and the folder of the index are parsed, and wrong ones are refused with what is expected", () => {
  const args = ["--config", writeVault("first"), "--node", "pod-1"];
  expect(parseAgentArguments(args).indexPages).toEqual({ heldBytesMax: 16_777_216, folder: null });
  const folder = import.meta.dirname;
  expect(parseAgentArguments([...args, "--index-cache", "1", "--index-folder", folder]).indexPages).toEqual({
    heldBytesMax: 1_048_576,
    folder,
  });
  expect(() => parseAgentArguments([...args, "--index-cache", "0"])).toThrow(
    "--index-cache 0: a whole number of MiB of at least 1 is expected, such as 64.",
  );
  for (const wrong of [import.meta.filename, `${folder}/none`])
    expect(() => parseAgentArguments([...args, "--index-folder", wrong])).toThrow("there is no such folder");
});
