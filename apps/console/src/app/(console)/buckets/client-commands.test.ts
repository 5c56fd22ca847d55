import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { encryptCommand, tagsCommand } from "./client-commands.ts";

const address = { url: "http://10.0.0.1:9000", region: "us-east-1" };

/** Splits a command into the arguments that a shell would pass to a program. */
const shellWords = (command: string): string[] =>
  execFileSync("sh", ["-c", command.replace(/^aws /, "printf '%s\\n' ")], { encoding: "utf8" })
    .trimEnd()
    .split("\n");

test("the encryption command is a complete aws-cli command", () => {
  const words = shellWords(encryptCommand("photos", address));
  const at = (name: string) => words[words.indexOf(name) + 1];
  expect(words.slice(0, 2)).toEqual(["s3api", "put-bucket-encryption"]);
  expect([at("--bucket"), at("--endpoint-url"), at("--region")]).toEqual([
    "photos",
    address.url,
    "us-east-1",
  ]);
  expect(JSON.parse(at("--server-side-encryption-configuration") ?? "")).toEqual({
    Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" } }],
  });
});

test("a command names the authority's certificate for a TLS address, and has placeholders for an unknown one", () => {
  const secure = shellWords(tagsCommand("photos", [], { ...address, url: "https://s3.example" }));
  expect(secure.slice(-2)).toEqual(["--ca-bundle", "ca.pem"]);
  expect(shellWords(tagsCommand("photos", [], null))).toContain("ADDRESS");
});

test("the command that replaces tags contains the current tags, with every character quoted", () => {
  const tags = [{ key: "it's", value: '$HOME \\ "x"' }];
  const words = shellWords(tagsCommand("photos", tags, address));
  expect(JSON.parse(words[words.indexOf("--tagging") + 1] ?? "")).toEqual({
    TagSet: [{ Key: "it's", Value: '$HOME \\ "x"' }],
  });
});
