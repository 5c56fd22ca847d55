/** Parses the arguments of `vault lost` and `vault give-up`. All throw a UsageError. */
import { parseObjectName } from "@stashlight/contracts/object-location";
import { findVaultFile, findVaultFiles, type Surroundings } from "../argument-values.ts";
import { flag, parseOptions, text, texts } from "../parse-options.ts";
import { UsageError } from "../usage-error.ts";

export type LostCommand = ReturnType<typeof parseLost>;
export type GiveUpCommand = ReturnType<typeof parseGiveUp>;

export function parseLost(args: readonly string[], surroundings: Surroundings) {
  const { values } = parseOptions({ args, options: { config: texts, json: flag } });
  return { name: "lost", ...findVaultFiles(values.config, surroundings), isJson: values.json } as const;
}

export function parseGiveUp(args: readonly string[], surroundings: Surroundings) {
  const options = { config: text, yes: flag };
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
  const [named, ...more] = positionals;
  const object = named === undefined || more.length > 0 ? null : parseObjectName(named);
  if (object === null) {
    throw new UsageError(
      "vault give-up needs an object as BUCKET/KEY, such as photos/2026/cat.jpg; quote a key with spaces.",
    );
  }
  const config = findVaultFile(values.config, surroundings);
  return { name: "give-up", config, ...object, isConfirmed: values.yes } as const;
}
