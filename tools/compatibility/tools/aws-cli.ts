import assert from "node:assert/strict";
import { join } from "node:path";
import type { Tool } from "../tool.ts";

export const awsCli: Tool = {
  id: "aws-cli",
  name: "aws-cli",
  source: { kind: "PyPI", packages: ["awscli==1.46.3"] },
  isQuick: true,
  job: "`s3 sync` there, again after changes with `--delete`, back, and a copy within the bucket",
  workaround: null,
  version: async ({ run, program }) => (await run(program("aws"), ["--version"])).split(/[/ ]/)[1] ?? "",
  async run({ run, program, bucket, files, scratch, awsEnvironment, changeFiles, compareFiles }) {
    const aws = (...args: string[]) => run(program("aws"), args, { environment: awsEnvironment });
    const url = `s3://${bucket}`;
    await aws("s3", "mb", url);
    await aws("s3", "sync", "--only-show-errors", files, `${url}/backup`);
    await changeFiles();
    await aws("s3", "sync", "--only-show-errors", "--delete", files, `${url}/backup`);
    assert.equal(await aws("s3", "sync", "--dryrun", "--delete", files, `${url}/backup`), "");
    const restored = join(scratch, "restored");
    await aws("s3", "sync", "--only-show-errors", `${url}/backup`, restored);
    await compareFiles(restored);
    // Above 8 MB it asks for the tags of the source, and copies in parts.
    await aws("s3", "cp", "--only-show-errors", `${url}/backup/large`, `${url}/copy`);
    const size = await aws(
      "s3api",
      "head-object",
      "--bucket",
      bucket,
      "--key",
      "copy",
      "--query",
      "ContentLength",
    );
    assert.ok(Number(size) > 8_000_000, `The copy has ${size} bytes.`);
    await aws("s3", "rb", "--force", url);
  },
};
