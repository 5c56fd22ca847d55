/**
 * The single record of a log that states how uploads ended (outcomes.ts): read at the start, and written now and then.
 */
import type { LogError, OpenedLog, ShardLog } from "@stashlight/shard-log";
import { NO_STATEMENT, type Outcomes, StatementReader } from "./outcomes.ts";
import type { KeptRecord } from "./records.ts";
import * as records from "./records.ts";

/** The log's statement about its records; nothing if the log was found damaged. */
export function statementIn({ records: found, damage }: OpenedLog<KeptRecord>): StatementReader {
  let stated: KeptRecord | undefined;
  found.forEachHeader((header, at) => {
    if (records.isOfOutcomes(header)) stated ??= found.keptAt(at);
  });
  // A header that was lost had its copy, and a record whose payload was lost is still known by its header.
  const isDamaged = damage.some(({ kind }) => kind !== "header_copy_lost" && kind !== "payload_lost");
  if (stated === undefined || isDamaged || !records.isStatement(stated))
    return new StatementReader(NO_STATEMENT);
  return new StatementReader(records.parseStatement(stated));
}

/** Writes known outcomes if they are new, to become durable with the next flush. */
export function writeStatement(log: ShardLog, outcomes: Outcomes, onAppend: (key: string) => void): void {
  const isWanted = outcomes.hasNews && log.areKillsPlaced && log.stats().state === "open";
  if (!isWanted) return;
  outcomes.hasNews = false;
  const statement = outcomes.statement(log.nextLsn);
  onAppend(records.OUTCOMES_KEY);
  const done = (error: LogError | null) => {
    if (error !== null) outcomes.hasNews = true;
  };
  // It is written repeatedly, and frees nothing.
  log.append(records.recordOfStatement(statement), done, "repair");
}
