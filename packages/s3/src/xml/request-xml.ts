/** Reads the XML of a request's body. Doctypes are refused, so there are no entities to expand. */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { S3Error } from "../errors.ts";
import { scanPlainXml } from "./scan.ts";

export interface XmlReader {
  /** Text of the only child with this name; undefined if there is none. */
  text(name: string): string | undefined;
  /** Texts of all children with this name. */
  texts(name: string): readonly string[];
  children(name: string): readonly XmlReader[];
  /** The names of all children. */
  readonly names: readonly string[];
}

const parser = new XMLParser({
  ignoreAttributes: true,
  removeNSPrefix: true,
  parseTagValue: false,
  // Spaces at the ends of a key belong to the key.
  trimValues: false,
  // Decoded here, together with character references, which the library leaves alone.
  processEntities: false,
  isArray: () => true,
});

/** Parses the document; its root element must have this name. */
export function readXml(text: string, rootName: string): XmlReader {
  const roots = childrenOf(scanPlainXml(text) ?? parse(text), rootName);
  if (roots.length !== 1)
    throw new S3Error("MalformedXML", `The XML must have one element ${rootName} as its root.`);
  return createReader(roots[0]);
}

function parse(text: string): unknown {
  if (/<!DOCTYPE|<!ENTITY/i.test(text) || XMLValidator.validate(text) !== true)
    throw new S3Error("MalformedXML");
  try {
    return parser.parse(text);
  } catch (error) {
    throw new S3Error("MalformedXML", undefined, { cause: error });
  }
}

function createReader(node: unknown): XmlReader {
  return {
    text: (name) => {
      const found = childrenOf(node, name);
      if (found.length > 1) throw new S3Error("MalformedXML", `The element ${name} is given more than once.`);
      return found.length === 0 ? undefined : textOf(found[0], name);
    },
    texts: (name) => childrenOf(node, name).map((child) => textOf(child, name)),
    children: (name) => childrenOf(node, name).map(createReader),
    get names() {
      return typeof node === "object" && node !== null
        ? Object.keys(node).filter((name) => name !== "#text")
        : [];
    },
  };
}

function childrenOf(node: unknown, name: string): readonly unknown[] {
  if (typeof node !== "object" || node === null || !Object.hasOwn(node, name)) return [];
  const found = (node as Record<string, unknown>)[name];
  return Array.isArray(found) ? found : [found];
}

function textOf(node: unknown, name: string): string {
  if (typeof node === "string" && !node.includes("&")) return node;
  if (typeof node === "string") return node.replace(/&(#x?)?([^;&]*);?/g, decodeReference);
  throw new S3Error("MalformedXML", `The element ${name} must hold text only.`);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeReference(reference: string, hash: string | undefined, body: string): string {
  const isHex = hash === "#x";
  const isNumber = hash !== undefined && (isHex ? /^[0-9a-fA-F]{1,6}$/ : /^\d{1,7}$/).test(body);
  const code = isNumber ? Number.parseInt(body, isHex ? 16 : 10) : Number.NaN;
  const isScalar = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  const text = isScalar
    ? String.fromCodePoint(code)
    : Object.hasOwn(ENTITIES, body) && !hash
      ? ENTITIES[body]
      : undefined;
  if (text === undefined || !reference.endsWith(";")) {
    throw new S3Error("MalformedXML", "The XML has a reference that does not name a character.");
  }
  return text;
}
