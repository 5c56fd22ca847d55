/** `vault lifecycle`: previews what lifecycle rules would delete, before they are saved. */
import { readFileSync } from "node:fs";
import { VaultFileError } from "@stashlight/node-runtime/config";
import { type AskAdmin, askLifecycle, type LifecyclePreview } from "@stashlight/node-runtime/durability";
import { printable } from "../lost/render.ts";
import { formatSize } from "../units.ts";
import { UsageError } from "../usage-error.ts";
import { openVault, type VaultAccess } from "../vault/access.ts";
import type { LifecycleCommand } from "./arguments.ts";
import { toRulesDocument } from "./rules-document.ts";

export interface LifecycleSurroundings {
  readonly say: (line: string) => void;
  readonly vault?: Pick<VaultAccess, "file" | "admin">;
  readonly ask?: AskAdmin;
}

/** Resolves to the exit code. */
export async function previewLifecycle(
  { config, bucket, rulesPath, isJson }: LifecycleCommand,
  { say, vault = openVault(config), ask }: LifecycleSurroundings,
): Promise<number> {
  const document = rulesPath === null ? null : toRulesDocument(readRules(rulesPath));
  const silences: string[] = [];
  for (const node of vault.file.nodes.filter(({ role }) => role === "coordinator")) {
    const answer = await askLifecycle(node, { bucket, document }, { access: vault.admin, ask });
    if (answer.type === "refused") throw new VaultFileError(answer.sentence);
    if (answer.type === "answered") {
      if (isJson) say(JSON.stringify(answer.preview, null, 2));
      else for (const line of describePreview(bucket, answer.preview)) say(line);
      return 0;
    }
    silences.push(`${node.id} did not answer (${answer.reason}).`);
  }
  throw new VaultFileError(silences.join(" "));
}

function readRules(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`--rules cannot be read: ${(error as Error).message}.`);
  }
}

type Tally = LifecyclePreview["rules"][number]["objects"];

export function describePreview(
  bucket: string,
  { rules, seenCount, isWhole, areAllUploadsSeen }: LifecyclePreview,
): string[] {
  const name = printable(bucket);
  if (rules.length === 0) {
    return [`${name} has no lifecycle rules. Multipart uploads are aborted after seven days.`];
  }
  const lines = rules.flatMap(({ id, isEnabled, objects, uploads }) => {
    const rule = printable(id);
    if (!isEnabled) return [`${rule}: disabled`];
    const found = [
      ...describeTally("delete", "object", objects),
      ...describeTally("abort", "multipart upload", uploads),
    ];
    return found.length === 0 ? [`${rule}: would delete nothing now`] : found.map((act) => `${rule}: ${act}`);
  });
  if (!isWhole) {
    lines.push(`${name} has more objects; these counts cover the first ${seenCount.toLocaleString("en")}.`);
  }
  if (!areAllUploadsSeen) lines.push(`${name} has more multipart uploads; not all were counted in time.`);
  return lines;
}

function describeTally(act: string, noun: string, { count, bytes, oldestMs }: Tally): string[] {
  if (count === 0 || oldestMs === null) return [];
  const oldest = new Date(oldestMs).toISOString().slice(0, 10);
  const counted = `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
  return [`would ${act} ${counted} now, ${formatSize(bytes)}, oldest ${oldest}`];
}
