/**
 * Plain documents, as nearly all are that S3 and its clients send: elements and text, no attribute but the root's
 * namespace. They are read in a tenth of the time that a general parser takes, which a list of a thousand keys shows.
 */

/** The texts, or elements with children, of each name. */
export interface XmlElements {
  [name: string]: (string | XmlElements)[];
}

interface OpenElement {
  readonly name: string;
  /** Null while it has no children. */
  content: XmlElements | null;
}

const DECLARATION = /^<\?xml [^<>?]*\?>\s*/;
const ROOT = /^([A-Za-z]+)(?: xmlns="[^"<>&]*")?$/;
const NAME = /^[A-Za-z]+$/;
const NOT_BLANK = /[^ \t\r\n]/;
/** Other references are for the general parser to judge, and other ends of lines for it to make alike. */
const UNUSUAL = /\r|&(?!(?:amp|lt|gt|quot|apos);)/;

/** The root by its name; null when the document is not plain, or not well-formed. References stay as they are. */
export function scanPlainXml(text: string): XmlElements | null {
  if (UNUSUAL.test(text)) return null;
  const document: XmlElements = Object.create(null);
  const open: OpenElement[] = [];
  let at = DECLARATION.exec(text)?.[0].length ?? 0;
  do {
    const start = text.indexOf("<", at);
    const end = text.indexOf(">", start);
    if (start === -1 || end === -1) return null;
    const tag = text.slice(start + 1, end);
    const current = open.at(-1);
    if (tag.startsWith("/")) {
      if (current === undefined || tag.length !== current.name.length + 1 || !tag.endsWith(current.name)) {
        return null;
      }
      const isLeaf = current.content === null;
      if (!isLeaf && !isBlank(text, at, start)) return null;
      open.pop();
      const parent = open.at(-1);
      add(
        parent === undefined ? document : contentOf(parent),
        current.name,
        current.content ?? text.slice(at, start),
      );
    } else {
      const name = current === undefined ? ROOT.exec(tag)?.[1] : NAME.exec(tag)?.[0];
      if (name === undefined || !isBlank(text, at, start)) return null;
      open.push({ name, content: null });
    }
    at = end + 1;
  } while (open.length > 0);
  return isBlank(text, at, text.length) ? document : null;
}

function contentOf(element: OpenElement): XmlElements {
  element.content ??= Object.create(null) as XmlElements;
  return element.content;
}

function add(elements: XmlElements, name: string, content: string | XmlElements): void {
  const others = elements[name];
  if (others === undefined) elements[name] = [content];
  else others.push(content);
}

function isBlank(text: string, from: number, to: number): boolean {
  return from === to || !NOT_BLANK.test(text.slice(from, to));
}
