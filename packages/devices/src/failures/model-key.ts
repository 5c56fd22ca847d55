/**
 * Model numbers to compare: drives, kernels and Drive Stats write one model with and without its maker in front, and
 * Seagate's with an option code behind ("ST16000NM001G-2KK103").
 */
const MAKER = /^(?:ATA|HGST|HITACHI|SEAGATE|TOSHIBA|WDC|WESTERN DIGITAL)[\s_]+/;
const SEAGATE_OPTION = /^(ST\d+[0-9A-Z]*)-[0-9A-Z]{6}$/;

/** Equal for all spellings of one model; empty for one that is not known. */
export function driveModelKey(model: string): string {
  let key = model.trim().replace(/\s+/g, " ").toUpperCase();
  while (MAKER.test(key)) key = key.replace(MAKER, "");
  return SEAGATE_OPTION.exec(key)?.[1] ?? key;
}
