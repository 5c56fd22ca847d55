import { join } from "node:path";
import type { Tool } from "../tool.ts";

export const boto3: Tool = {
  id: "boto3",
  name: "boto3 (AWS SDK for Python)",
  source: { kind: "PyPI", packages: ["boto3==1.44.8"] },
  isQuick: true,
  job: "uploads in parts with checksums, uploads what changed, deletes what is gone, downloads, conditional writes",
  workaround: null,
  version: ({ run, program }) => run(program("python"), ["-c", "import boto3; print(boto3.__version__)"]),
  async run({ run, program, bucket, files, scratch, awsEnvironment, changeFiles, compareFiles }) {
    const script = join(import.meta.dirname, "boto3_job.py");
    const python = (step: string, folder: string) =>
      run(program("python"), [script, step, bucket, folder], { environment: awsEnvironment });
    await python("backup", files);
    await changeFiles();
    await python("backup", files);
    const restored = join(scratch, "restored");
    await python("restore", restored);
    await compareFiles(restored);
    await python("remove", files);
  },
};
