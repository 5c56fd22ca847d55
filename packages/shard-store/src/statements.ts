/**
 * The single record of a log that states how uploads ended (outcomes.ts): read at startup, and rewritten occasionally.
 */
import type { LogError, OpenedLog, ShardLog } from "@stashlight/shard-log";
import { NO_STATEMENT, type Outcomes, StatementReader } from "./outcomes.ts";
import type { KeptRecord } from "./records.ts";
import * as records from "./records.ts";

/** Returns the log's statement about its records; an empty one if the log was found damaged. */
export function statementIn({ records: found, damage }: OpenedLog<KeptRecord>): StatementReader {
  let stated: KeptRecord | undefined;
  for (const header of found.headers()) {
    if (!records.isOfOutcomes(header)) continue;
    stated = found.keep(header);
    break;
  }
  // A lost header copy loses nothing, and a record whose payload was lost is still known by its header.
  const isDamaged = damage.some(({ kind }) => kind !== "header_copy_lost" && kind !== "payload_lost");
  if (stated === undefined || isDamaged || !records.isStatement(stated))
    return new StatementReader(NO_STATEMENT);
  return new StatementReader(records.parseStatement(stated));
}

/** Writes the known outcomes if they have changed; the next flush makes them durable. */
export function writeStatement(log: ShardLog, outcomes: Outcomes, onAppend: (key: string) => void): void {
  const isWanted = outcomes.hasNews && log.areKillsPlaced && log.stats().state === "open";
  if (!isWanted) return;
  outcomes.hasNews = false;
  const statement = outcomes.statement(log.nextLsn);
  onAppend(records.OUTCOMES_KEY);
  const done = (error: LogError | null) => {
    if (error !== null) outcomes.hasNews = true;
  };
  // Uses a lower class than removals, because it is written repeatedly and frees nothing.
  log.append(records.recordOfStatement(statement), done, "repair");
}
