/** Matches text whose semicolons do not end a statement: comments, strings, quoted names and dollar-quoted bodies. */
const UNCUT =
  /--[^\n]*|\/\*[\s\S]*?\*\/|[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1|;/g;

/** Splits a script into its statements; comments stay with the statement after them. */
export function splitStatements(script: string): string[] {
  const ends = [...script.matchAll(UNCUT)].flatMap(({ 0: text, index }) => (text === ";" ? [index] : []));
  const parts = [...ends, script.length].map((end, i) =>
    script.slice(i === 0 ? 0 : (ends[i - 1] as number) + 1, end).trim(),
  );
  return parts.filter((part) => part.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, "").trim() !== "");
}
