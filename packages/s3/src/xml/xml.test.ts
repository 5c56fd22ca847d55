import fc from "fast-check";
import { expect, test } from "vitest";
import { readXml } from "./read.ts";
import { element, xmlDocument } from "./write.ts";

const text = fc.string({ unit: "binary", maxLength: 40 }).filter((value) => value.isWellFormed());

test("what is written is read back, whatever characters it has", () => {
  const property = fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (keys) => {
    const objects = keys.map((key) => element("Object", element("Key", key)));
    const root = readXml(xmlDocument("Delete", element("Quiet", true), objects), "Delete");
    expect(root.children("Object").map((object) => object.text("Key"))).toEqual(keys);
    expect(root.text("Quiet")).toBe("true");
    expect(root.text("Other")).toBeUndefined();
  });
  fc.assert(property, { numRuns: 500 });
});

test.each([
  "",
  "text",
  "<Delete>",
  "<Delete></Other>",
  "<Delete/><Delete/>",
  '<!DOCTYPE Delete [<!ENTITY a "b">]><Delete/>',
  "<Other/>",
])("%j is no request to delete", (xml) => {
  expect(() => readXml(xml, "Delete")).toThrow(expect.objectContaining({ code: "MalformedXML" }));
});

test.each(["&x;", "&#xD800;", "&#x110000;", "&", "&amp", "&#;", "<Inner/>", "&constructor;"])(
  "the text %j of a key is refused",
  (inner) => {
    const read = () => readXml(`<Delete><Key>${inner}</Key></Delete>`, "Delete").text("Key");
    expect(read).toThrow(expect.objectContaining({ code: "MalformedXML" }));
  },
);

test("names that objects have of themselves are no elements", () => {
  const root = readXml("<Delete><Object/></Delete>", "Delete");
  for (const name of ["__proto__", "constructor", "toString"]) expect(root.text(name)).toBeUndefined();
});

test("deep nesting does not end the process", () => {
  const deep = `<Delete>${"<a>".repeat(100_000)}${"</a>".repeat(100_000)}</Delete>`;
  try {
    readXml(deep, "Delete");
  } catch (error) {
    expect(error).toMatchObject({ code: "MalformedXML" });
  }
});
