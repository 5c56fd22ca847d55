/** Parses the arguments of `vault restart`. Throws a UsageError. */
import { findVaultFile, parseInteger, type Surroundings } from "../argument-values.ts";
import { flag, parseOptions, text } from "../parse-options.ts";
import { UsageError } from "../usage-error.ts";

const NOTICE_SECONDS_MAX = 120;

export type RestartCommand = ReturnType<typeof parseRestart>;

export function parseRestart(args: readonly string[], surroundings: Surroundings) {
  const options = {
    config: text,
    rolling: flag,
    "accept-weak": flag,
    notice: { type: "string", default: "10" },
    fresh: flag,
  } as const;
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
  const [machine = null, ...more] = positionals;
  if (more.length > 0 || (machine === null) !== values.rolling) {
    throw new UsageError(
      "vault restart takes --rolling for all machines one after the other, or the name of one machine, such as store-1.",
    );
  }
  if (values.fresh && machine !== null) throw new UsageError("--fresh requires --rolling.");
  return {
    name: "restart",
    config: findVaultFile(values.config, surroundings),
    /** Null for all machines. */
    machine,
    /** Also restarts agents without which no upload is accepted. */
    isWeakAccepted: values["accept-weak"],
    /** Time from the announcement of a coordinator's restart until it refuses connections. */
    noticeMs: 1000 * parseInteger("--notice", values.notice, NOTICE_SECONDS_MAX),
    /** Does not continue a restart that was ended. */
    isFresh: values.fresh,
  } as const;
}
