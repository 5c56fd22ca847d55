import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { useSharedFolder } from "@stashlight/contracts/testing";
import { beforeAll, expect, test } from "vitest";
import { findSecret, readGivenSecret } from "./writer-secret.ts";

const inFile = "a secret in a file, which is long enough to be taken";
const inFolder = "the secret of a folder, long enough to be taken for one";
const inEnvironment = "a secret of the environment, long enough to be taken";
const folder = useSharedFolder();

beforeAll(() => {
  writeFileSync(join(folder, "given"), `${inFile}\n`);
  writeFileSync(join(folder, "secret"), `${inFolder}\n`);
  writeFileSync(join(folder, "short"), "short\n");
});

test("the secret comes from the option, or else the environment, or else the folder", () => {
  const secretFile = join(folder, "given");
  expect(findSecret({ secretFile, secret: inEnvironment }, folder)).toBe(inFile);
  expect(findSecret({ secretFile: undefined, secret: inEnvironment }, folder)).toBe(inEnvironment);
  expect(findSecret({ secretFile: undefined, secret: undefined }, folder)).toBe(inFolder);
  expect(findSecret({ secretFile: undefined, secret: undefined })).toBeUndefined();
});

test("a secret that is too short or cannot be read is refused with its source", () => {
  expect(() => findSecret({ secretFile: undefined, secret: "short" })).toThrow(
    /^STASHLIGHT_SECRET has 5 characters and needs 32 or more\.$/,
  );
  expect(() => readGivenSecret("--secret-file", join(folder, "short"))).toThrow(/short has 5 characters/);
  expect(() => readGivenSecret("--other-installation", join(folder, "none"))).toThrow(
    /none cannot be read \(ENOENT, --other-installation\)\. Name a file that has the secret/,
  );
});
