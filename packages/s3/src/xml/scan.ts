/**
 * Scans plain documents, as nearly all S3 documents are: elements and text, no attribute but the root's namespace. A
 * scan takes a tenth of the time of a general parser, which matters for a list of a thousand keys.
 */

/** Texts, or elements with children, by name. */
export interface XmlElements {
  [name: string]: (string | XmlElements)[];
}

interface OpenElement {
  readonly name: string;
  /** Null if the element has no children. */
  content: XmlElements | null;
}

const DECLARATION = /^<\?xml [^<>?]*\?>\s*/;
const ROOT = /^([A-Za-z]+)(?: xmlns="[^"<>&]*")?$/;
const NAME = /^[A-Za-z]+$/;
const NOT_BLANK = /[^ \t\r\n]/;
/** Leaves other references and line endings to the general parser. */
const UNUSUAL = /\r|&(?!(?:amp|lt|gt|quot|apos);)/;

/** Returns the root by its name; null if the document is not plain or not well-formed. References are not decoded. */
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
