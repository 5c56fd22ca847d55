/** Writes S3's small documents. Content that is not an element is escaped as text. */

export interface XmlElement {
  readonly xml: string;
}

type XmlContent = XmlElement | string | number | boolean | null | readonly XmlElement[];

/** `null` as content writes nothing, so that optional elements need no branches. */
export function element(name: string, ...content: readonly XmlContent[]): XmlElement {
  let inner = "";
  for (const each of content) inner += render(each);
  return { xml: `<${name}>${inner}</${name}>` };
}

/** Returns null if there is no text. */
export function optional(name: string, text: string | null | undefined): XmlElement | null {
  return text === null || text === undefined ? null : element(name, text);
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Writes the whole document. `name` is the root, in S3's namespace unless it is an error. */
export function xmlDocument(name: string, ...content: readonly XmlContent[]): string {
  const namespace = name === "Error" ? "" : ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  const inner = content.map(render).join("");
  return `${XML_DECLARATION}<${name}${namespace}>${inner}</${name}>`;
}

function render(content: XmlContent): string {
  if (content === null) return "";
  if (typeof content !== "object") return escapeXml(String(content));
  return "xml" in content ? content.xml : content.map((child) => child.xml).join("");
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds them, and as a Unicode class takes twice as long.
const TO_ESCAPE = /[&<>"\u0000-\u001f\u007f-\u009f]/g;

/**
 * Control characters become references, as S3 writes them; otherwise a carriage return would be read as a line feed.
 */
export function escapeXml(text: string): string {
  // Fast path: most texts need no escaping, and a list has thousands of texts.
  if (text.search(TO_ESCAPE) === -1) return text;
  return text.replace(TO_ESCAPE, (character) => {
    return ESCAPES[character] ?? `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`;
  });
}
