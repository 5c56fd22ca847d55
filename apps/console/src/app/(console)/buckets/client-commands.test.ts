import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { encryptCommand, tagsCommand } from "./client-commands.ts";

const address = { url: "http://10.0.0.1:9000", region: "us-east-1" };

/** The words that a shell gives to a program. */
const shellWords = (command: string): string[] =>
  execFileSync("sh", ["-c", command.replace(/^aws /, "printf '%s\\n' ")], { encoding: "utf8" })
    .trimEnd()
    .split("\n");

test("a command is one of aws-cli with all its options", () => {
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

test("an address over TLS comes with the authority's certificate, and an unknown one with what to fill in", () => {
  const secure = shellWords(tagsCommand("photos", [], { ...address, url: "https://s3.example" }));
  expect(secure.slice(-2)).toEqual(["--ca-bundle", "ca.pem"]);
  expect(shellWords(tagsCommand("photos", [], null))).toContain("ADDRESS");
});

test("the command that replaces tags starts from those that are there, whatever is in them", () => {
  const tags = [{ key: "it's", value: '$HOME \\ "x"' }];
  const words = shellWords(tagsCommand("photos", tags, address));
  expect(JSON.parse(words[words.indexOf("--tagging") + 1] ?? "")).toEqual({
    TagSet: [{ Key: "it's", Value: '$HOME \\ "x"' }],
  });
});
