import fc from "fast-check";
import { expect, test } from "vitest";
import { readXml, type XmlReader } from "./request-xml.ts";
import { scanPlainXml } from "./scan.ts";
import { element, xmlDocument } from "./write.ts";

const text = fc.string({ unit: "binary", maxLength: 40 }).filter((value) => value.isWellFormed());

test("a document with any characters is read back as written", () => {
  const property = fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (keys) => {
    const objects = keys.map((key) => element("Object", element("Key", key)));
    const root = readXml(xmlDocument("Delete", element("Quiet", true), objects), "Delete");
    expect(root.children("Object").map((object) => object.text("Key"))).toEqual(keys);
    expect(root.text("Quiet")).toBe("true");
    expect(root.text("Other")).toBeUndefined();
  });
  fc.assert(property, { numRuns: 500 });
});

test("a plain document is read without the general parser, to the same result", () => {
  const plain = fc.array(fc.constantFrom("a", "&amp;", "&lt;", " ", "\n", "é", "]", "\u{1f600}"), {
    maxLength: 9,
  });
  const blank = fc.constantFrom("", " ", "\n  ", "\t");
  const property = fc.property(fc.array(plain, { minLength: 1, maxLength: 5 }), blank, (texts, space) => {
    const keys = texts.map((parts) => parts.join(""));
    const objects = keys.map((key) => `${space}<Object>${space}<Key>${key}</Key>${space}</Object>`).join("");
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Delete xmlns="urn:s3">${objects}${space}</Delete>${space}`;
    // The attribute forces the general parser.
    const general = xml.replaceAll("<Object>", '<Object id="1">');
    const keysOf = (text: string) =>
      readXml(text, "Delete")
        .children("Object")
        .map((each) => each.text("Key"));
    expect(scanPlainXml(xml)).not.toBeNull();
    expect(scanPlainXml(general)).toBeNull();
    expect(keysOf(xml)).toEqual(keysOf(general));
  });
  fc.assert(property, { numRuns: 300 });
});

test.each([
  "",
  "<A>",
  "</A>",
  "<A></A",
  "<A></B>",
  "<A></AA>",
  "<A/>",
  "<A></A><A></A>",
  "<A></A>x",
  "x<A></A>",
  "<A>x<B></B></A>",
  "<A><B></B>x</A>",
  '<A><B c="d"></B></A>',
  "<A><n:B></n:B></A>",
  "<A><!-- c --></A>",
  "<A><![CDATA[x]]></A>",
  "<!DOCTYPE A><A></A>",
  "<A>&x;</A>",
  "<A>&#65;</A>",
  "<A>\r</A>",
])("%j is left to the general parser", (xml) => {
  expect(scanPlainXml(xml)).toBeNull();
});

test.each([
  "",
  "text",
  "<Delete>",
  "<Delete></Other>",
  "<Delete/><Delete/>",
  '<!DOCTYPE Delete [<!ENTITY a "b">]><Delete/>',
  "<Other/>",
])("%j is refused as a request to delete", (xml) => {
  expect(() => readXml(xml, "Delete")).toThrow(expect.objectContaining({ code: "MalformedXML" }));
});

test.each(["&x;", "&#xD800;", "&#x110000;", "&", "&amp", "&#;", "<Inner/>", "&constructor;"])(
  "the text %j of a key is refused",
  (inner) => {
    const read = () => readXml(`<Delete><Key>${inner}</Key></Delete>`, "Delete").text("Key");
    expect(read).toThrow(expect.objectContaining({ code: "MalformedXML" }));
  },
);

test("names that every JavaScript object inherits are not elements", () => {
  const root = readXml("<Delete><Object/></Delete>", "Delete");
  for (const name of ["__proto__", "constructor", "toString"]) expect(root.text(name)).toBeUndefined();
});

test("deep nesting is read without attributes, and refused with them", () => {
  const depth = 100_000;
  const deep = `<Delete>${"<a>".repeat(depth)}${"</a>".repeat(depth)}</Delete>`;
  let readDepth = -1;
  for (let at: XmlReader | undefined = readXml(deep, "Delete"); at !== undefined; [at] = at.children("a")) {
    readDepth += 1;
  }
  expect(readDepth).toBe(depth);
  const withAttributes = deep.replace("<a>", '<a b="c">');
  expect(() => readXml(withAttributes, "Delete")).toThrow(expect.objectContaining({ code: "MalformedXML" }));
});
