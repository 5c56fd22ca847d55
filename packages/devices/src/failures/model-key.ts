/**
 * Normalises model numbers: drives, kernels and Drive Stats write a model with or without its maker, and Seagate's with
 * an option code at the end ("ST16000NM001G-2KK103").
 */
const MAKER = /^(?:ATA|HGST|HITACHI|SEAGATE|TOSHIBA|WDC|WESTERN DIGITAL)[\s_]+/;
const SEAGATE_OPTION = /^(ST\d+[0-9A-Z]*)-[0-9A-Z]{6}$/;

/** Returns the same key for all spellings of a model; empty for an unknown one. */
export function driveModelKey(model: string): string {
  let key = model.trim().replace(/\s+/g, " ").toUpperCase();
  while (MAKER.test(key)) key = key.replace(MAKER, "");
  return SEAGATE_OPTION.exec(key)?.[1] ?? key;
}
