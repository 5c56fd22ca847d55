/** Rejects forms of English that reviews keep correcting and that a program can detect. */
import type { TextKind } from "./source-texts.ts";

/** Openings of comments: noun clauses, and words that lean on the line above. */
const OPENING =
  /^(?:What|How|Where|Whether|Who|Whoever|Whatever|And|But|Neither|None|Nor|Of|Or|Such|Than|That|Those|Thus|Which|Whom|Whose|So (?:many|much|often|long|do|does|did|is|are)|As (?:if|long|many|often|do|does|did|is|are|was))\b/i;

/** Words for which the message suggests a plainer one. */
const WORDS: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /\b(?:tells?|told|telling)\b/i, instead: "report, notify, show or distinguish" },
  { pattern: /\b(?:says?|said|saying)\b/i, instead: "report, state, show or mean" },
  {
    pattern: /\b(?:somebody|nobody|anybody|everybody|whoever|whomever)\b/i,
    instead: "the client, the operator, no client or anyone who",
  },
  { pattern: /\b(?:stands?|stood|lies|lay)\b(?!-)/i, instead: "is, is at, are stored or is between" },
  { pattern: /\bso (?:many|much|often)\b/i, instead: 'a count, such as "at most 8"' },
  // Enforces one name for one thing.
  { pattern: /\bunder way\b/i, instead: '"in progress"' },
  { pattern: /\bper year\b/i, instead: '"a year"' },
  { pattern: /\ba drive-year\b/i, instead: '"per drive-year"' },
  { pattern: /\baccess key's id\b|\b[Aa]ccess key id\b/, instead: '"access key ID"' },
  { pattern: /\bexpects? to fail\b/i, instead: '"failure predicted"' },
];

/**
 * Phrases in which a refused word is correct, names in code that packages/simulation/src/mutants quotes, and a unit of
 * exported tables, which programs read.
 */
const ALLOWED =
  /\bstands? (?:for|in for)\b|\bthat is to say\b|\bwhoami\b|\btell\(state\b|\bsaid\.digest\b|\bs per year\b/gi;

/** Describes what is wrong with a text and what to write; null if nothing is. */
export function checkEnglish(kind: TextKind, text: string): string | null {
  const opening = kind === "comment" ? OPENING.exec(text)?.[0] : undefined;
  if (opening !== undefined) {
    return `has a comment that opens with "${opening}"; open with a verb or a noun of its own.`;
  }
  const judged = text.replace(ALLOWED, "");
  for (const { pattern, instead } of WORDS) {
    const word = pattern.exec(judged)?.[0];
    if (word !== undefined) return `has a ${kind} with "${word}"; write ${instead}.`;
  }
  return null;
}
