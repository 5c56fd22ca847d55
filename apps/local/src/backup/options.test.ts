import { expect, test } from "vitest";
import { parseBackup } from "./options.ts";

const parse = (line: string, env: NodeJS.ProcessEnv = {}) =>
  parseBackup(line.split(" "), { env, currentDirectory: "/work" });
const url = "postgres://owner:pw@db.example.org/stashlight";

test.each<[string, NodeJS.ProcessEnv, object]>([
  ["backup a", {}, { path: "/work/a", from: { type: "folder", directory: "/work/.stashlight" } }],
  ["backup a --data d", { DATABASE_URL: url }, { from: { type: "folder", directory: "/work/d" } }],
  ["backup /b/a", { DATABASE_URL: url }, { path: "/b/a", from: { type: "url", url } }],
  [`restore a --database-url ${url}`, { STASHLIGHT_SECRET: "s" }, { databaseUrl: url, secret: "s" }],
  ["backup a", {}, { hasMetrics: false }],
  [`backup a --with-metrics --database-url ${url}`, {}, { hasMetrics: true, from: { type: "url", url } }],
  ["restore --help", {}, { verb: "help" }],
  ["backup a --secret-file s", {}, { secretFile: "/work/s", secret: undefined }],
  [
    `restore a --database-url ${url}`,
    {},
    { secret: undefined, secretFile: undefined, otherInstallation: undefined, isUnverified: false },
  ],
  [`restore a --database-url ${url} --other-installation s`, {}, { otherInstallation: "/work/s" }],
  [`restore a --database-url ${url} --unverified`, {}, { isUnverified: true }],
])("the arguments are parsed: %s", (line, env, command) => {
  expect(parse(line, env)).toMatchObject(command);
});

test.each([
  ["backup", /^npm run backup needs one FILE\.$/],
  ["restore a b", /^npm run restore needs one FILE\.$/],
  ["restore a", /^Restore needs --database-url/],
  ["restore a --with-metrics", /^Restore has no --with-metrics: it restores everything in the file\.$/],
  ["restore a --data d", /^Restore has no --data/],
  [`backup a --data d --database-url ${url}`, /cannot be combined; give one/],
  ["backup a --storage-profile plain", /^Only restore has/],
  ["backup a --unverified", /^Only restore has --unverified\.$/],
  ["backup a --other-installation s", /^Only restore has --other-installation\.$/],
  [
    `restore a --database-url ${url} --unverified --other-installation s`,
    /^--other-installation verifies the file/,
  ],
  [`restore a --database-url ${url} --secret-file s --other-installation s`, /two secrets; give the one/],
  ["backup a --database-url db", /^--database-url must look like/],
  ["backup a --nonsense", /^Unknown option '--nonsense'/],
])("the arguments %s are refused with a message that matches %s", (line, sentence) => {
  expect(() => parse(line)).toThrow(sentence);
});
