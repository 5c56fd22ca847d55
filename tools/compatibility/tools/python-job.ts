/** Tools that are libraries of Python: a script beside this file does the job. */
import { join } from "node:path";
import type { Tool } from "../tool.ts";
import { createBucket, removeBucket } from "./bucket.ts";

interface PythonTool extends Pick<Tool, "id" | "name" | "job" | "workaround"> {
  readonly packages: readonly string[];
  readonly script: string;
}

/** The script gets the bucket, the files and an empty folder, and fails if a byte is wrong. */
function describePythonTool({ packages, script, ...tool }: PythonTool): Tool {
  const [library = ""] = packages[0]?.split("==") ?? [];
  return {
    ...tool,
    source: { kind: "PyPI", packages },
    isQuick: true,
    version: ({ run, program }) =>
      run(program("python"), ["-c", `from importlib.metadata import version; print(version("${library}"))`]),
    async run({ run, program, vault, bucket, files, scratch, awsEnvironment }) {
      await createBucket(vault, bucket);
      const path = join(import.meta.dirname, script);
      await run(program("python"), [path, bucket, files, scratch], { environment: awsEnvironment });
      await removeBucket(vault, bucket);
    },
  };
}

export const pyarrow = describePythonTool({
  id: "pyarrow",
  name: "pyarrow (AWS SDK for C++)",
  packages: ["pyarrow==26.0.1"],
  script: "pyarrow_job.py",
  job: "files there and back as streams, a partitioned Parquet dataset written, filtered, moved and deleted",
  workaround: null,
});

export const duckdb = describePythonTool({
  id: "duckdb",
  name: "DuckDB (httpfs)",
  packages: ["duckdb==1.4.4", "duckdb-ext-httpfs==1.4.4.20260205"],
  script: "duckdb_job.py",
  job: "`COPY TO` Parquet and CSV in partitions, globs and ranges read back, all rows compared",
  workaround: "`URL_STYLE 'path'`, `USE_SSL false` over plain HTTP",
});

export const obstore = describePythonTool({
  id: "obstore",
  name: "obstore (Rust object_store)",
  packages: ["obstore==0.12.1"],
  script: "obstore_job.py",
  job: "uploads in parts, lists, ranges, copies, renames, conditional puts, deletes",
  workaround: '`client_options={"allow_http": True}` over plain HTTP',
});
