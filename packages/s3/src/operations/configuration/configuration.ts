/** Behaviour of a configuration: the answer while nothing is set, and the one state that a write may request. */
import type { S3ErrorCode } from "../../errors.ts";
import type { XmlReader } from "../../xml/request-xml.ts";
import { element, type XmlElement, xmlDocument } from "../../xml/write.ts";

export interface Configuration {
  /** AWS's answer to a read of a configuration that is not set. */
  readonly whenUnset: UnsetAnswer;
  /** Answer to a read by an unknown `id`, where a bucket may have several configurations. */
  readonly whenNoSuchId?: S3ErrorCode;
  /** Null where AWS has no such operation. */
  readonly write: ConfigurationWrite | null;
  /** Headers of the answers to writes, and to reads of a stored setting. */
  readonly replyHeaders?: Readonly<Record<string, string>>;
  /**
   * Answer to a deletion. AWS deletes an unset configuration with 204, unless configurations have ids; null where AWS
   * has no such operation.
   */
  readonly remove: "no content" | S3ErrorCode | null;
}

export type UnsetAnswer =
  | { readonly kind: "document"; readonly write: (owner: string) => string }
  | { readonly kind: "error"; readonly code: S3ErrorCode; readonly message?: string };

export interface ConfigurationWrite {
  /** The root element of the body; null for a body that is not XML. */
  readonly root: string | null;
  /** The longest body, where AWS has a limit. */
  readonly bytesMax?: number;
  /** True if the body requests the current state. */
  readonly isSo: (body: XmlReader, owner: string) => boolean;
  /** Message for all other bodies. */
  readonly refusal: string;
  /** Returns the document that later reads answer, or null for none. If absent, nothing is stored. */
  readonly keep?: (body: XmlReader) => string | null;
}

export function document(name: string, ...content: readonly XmlElement[]): UnsetAnswer {
  return { kind: "document", write: () => xmlDocument(name, ...content) };
}

export function notSet(code: S3ErrorCode, message?: string): UnsetAnswer {
  return message === undefined ? { kind: "error", code } : { kind: "error", code, message };
}

/** A write that is always refused. */
export function refuse(root: string | null, refusal: string): ConfigurationWrite {
  return { root, isSo: () => false, refusal };
}

/** Accepts and stores any document that the reader accepts. */
export function anyDocument(root: string, keep: NonNullable<ConfigurationWrite["keep"]>): ConfigurationWrite {
  return { root, isSo: () => true, refusal: "", keep };
}

/** A setting in which only one element matters, and only one value of it is accepted. */
export function only(root: string, name: string, value: string, refusal: string): ConfigurationWrite {
  return { root, isSo: (body) => body.text(name)?.trim() === value, refusal };
}

/** A list of rules that is always empty here. */
export function empty(root: string, refusal: string): ConfigurationWrite {
  return { root, isSo: (body) => body.names.length === 0, refusal };
}

/** Grants the owner everything and others nothing. */
export const ownersAccessList: UnsetAnswer = {
  kind: "document",
  write: (owner) =>
    xmlDocument(
      "AccessControlPolicy",
      person("Owner", owner),
      element("AccessControlList", element("Grant", grantee(owner), element("Permission", "FULL_CONTROL"))),
    ),
};

function person(name: string, owner: string): XmlElement {
  return element(name, element("ID", owner), element("DisplayName", owner));
}

/** Clients distinguish kinds of grantees by the attribute xsi:type. */
function grantee(owner: string): XmlElement {
  const type = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CanonicalUser"';
  return { xml: person("Grantee", owner).xml.replace("<Grantee>", `<Grantee ${type}>`) };
}

/** True if an access list gives everything to the owner and nothing to anyone else. */
export function isOwnersAccessList(body: XmlReader, owner: string): boolean {
  const grants = body.children("AccessControlList").flatMap((list) => list.children("Grant"));
  const owners = body.children("Owner").map((given) => given.text("ID"));
  return (
    grants.length > 0 &&
    owners.every((id) => id === owner) &&
    grants.every(
      (grant) =>
        grant.text("Permission") === "FULL_CONTROL" &&
        grant.children("Grantee").length === 1 &&
        grant.children("Grantee").every((grantee) => isOwner(grantee, owner)),
    )
  );
}

/** A grantee with more than an ID and a name, such as the URI of a group, may be someone else. */
function isOwner(grantee: XmlReader, owner: string): boolean {
  const isPlain = grantee.names.every((name) => name === "ID" || name === "DisplayName");
  return isPlain && grantee.text("ID") === owner;
}
