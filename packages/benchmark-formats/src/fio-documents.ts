/** Finds the JSON documents in fio's output, with messages before them and other output after them. */

/**
 * A document reaches from its brace at the beginning of a line to the matching brace; one that is cut off reaches to
 * the end.
 */
export function fioDocuments(text: string): string[] {
  const documents: string[] = [];
  const begins = /^\{/gm;
  for (let found = begins.exec(text); found !== null; found = begins.exec(text)) {
    const end = documentEnd(text, found.index);
    documents.push(text.slice(found.index, end));
    begins.lastIndex = end;
  }
  return documents;
}

const MARK = /["{}]/g;
const STRING_END = /(?<!\\)(?:\\\\)*"/g;

function documentEnd(text: string, start: number): number {
  let depth = 0;
  MARK.lastIndex = start;
  for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text)) {
    if (mark[0] === "{") depth += 1;
    else if (mark[0] === "}") {
      depth -= 1;
      if (depth === 0) return MARK.lastIndex;
    } else {
      STRING_END.lastIndex = MARK.lastIndex;
      if (STRING_END.exec(text) === null) return text.length;
      MARK.lastIndex = STRING_END.lastIndex;
    }
  }
  return text.length;
}
