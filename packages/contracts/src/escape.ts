/**
 * Makes text from users and machines, such as labels and names, harmless for display. Each kind of markup has one
 * function here. Pages need none: React escapes everything it renders.
 */

/**
 * An invisible, zero-width character that is neither a space nor punctuation, so that text separated by it is no longer
 * read as one token.
 */
const JOINER = "\u2060";

/** Control characters, line and paragraph separators. */
const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;
/** Characters that change the direction of the following text, so that it reads differently. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Mail programs and chats turn a scheme and its text into a link. */
const SCHEME =
  /(?<=[a-z][a-z0-9+.-]*:)(?=\/\/)|(?<=(?<![a-z0-9])(?:mailto|javascript|data|tel):)(?=[^\s\u2060])/gi;

/** Returns one line of text for a place without markup, in which no scheme begins a link. */
export const plainText = (text: string): string =>
  text.replaceAll(BREAKS, " ").replaceAll(DIRECTIONS, "").replaceAll(SCHEME, JOINER).trim();

/** Lookalikes of characters that open emphasis, code or strikethrough: no escape of Markdown works in every app. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map([
  ["*", "\u2217"],
  ["_", "\uff3f"],
  ["~", "\u223c"],
  ["`", "\u02cb"],
]);
/** An underscore within a word, as in metric names, has no effect anywhere. */
const EMPHASIS = /(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])|[*~`]/gu;
/** Begins a heading, a list, a quotation, a rule or a table at the start of a line. */
const BLOCK = /^(?=[#>|]|[-+=](?:[-=\s]|$)|\d+[.)](?:\s|$))/;
/** Characters that begin a tag, an entity, an escape or a mention, or end the text of a link. */
const TOKENS = /[<&\\@\]]/g;

/**
 * Returns one line of text for chats and pagers, in which no link, mention, tag or emphasis is left, whether the app
 * reads Markdown, Slack's mrkdwn, HTML or none of them.
 */
export const withoutMarkup = (text: string): string =>
  plainText(text)
    .replaceAll(TOKENS, `$&${JOINER}`)
    .replaceAll(EMPHASIS, (run) => [...run].map((each) => LOOKALIKES.get(each)).join(""))
    .replace(BLOCK, JOINER);

/**
 * Escapes text for a Slack message: removes markup, and encodes the three characters that Slack requires as entities.
 */
export const escapeSlack = (text: string): string =>
  withoutMarkup(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Escapes text for the content and the quoted attributes of HTML. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

/** Spreadsheets execute cells that begin like this as formulas. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

export const isFormula = (text: string): boolean => FORMULA.test(text);

/** Returns a CSV field, quoted if needed. A leading apostrophe keeps text from being executed; numbers stay numbers. */
export function csvField(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = isFormula(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
