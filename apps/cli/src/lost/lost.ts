/** `vault lost`: lists the objects that exist and cannot be read, with reasons. */

import { openVault } from "../vault/access.ts";
import type { LostCommand } from "./arguments.ts";
import { type CollectedLost, collectLost } from "./collect.ts";
import { renderLost } from "./render.ts";

/** Resolves to the exit code: 1 if there are any, or if a coordinator did not answer. */
export async function showLost(
  { config, furtherConfigs = [], isJson }: LostCommand,
  say: (line: string) => void,
): Promise<number> {
  const lost = await collectLost([config, ...furtherConfigs].map(openVault));
  if (isJson) say(JSON.stringify(asJson(lost), null, 2));
  else for (const line of renderLost(lost, Date.now())) say(line);
  return lost.total > 0 || lost.silences.length > 0 ? 1 : 0;
}

export function asJson({ total, objects, silences }: CollectedLost): object {
  return {
    total,
    objects: objects.map(({ sinceMs, ...object }) => ({ ...object, since: new Date(sinceMs).toISOString() })),
    silences,
  };
}
