/** Checks that a form reads the same however its bytes are cut. */
import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { S3Error } from "../../errors.ts";
import { defaultLimits } from "../../limits.ts";
import { isFormContent, openForm } from "./form-upload.ts";

const BOUNDARY = "a-boundary";

interface Part {
  readonly name: string;
  readonly fileName?: string;
  readonly bytes: Buffer;
}

function encode(parts: readonly Part[], boundary = BOUNDARY): Buffer {
  const pieces = parts.flatMap(({ name, fileName, bytes }) => {
    const file = fileName === undefined ? "" : `; filename="${fileName}"\r\nContent-Type: text/plain`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head), bytes, Buffer.from("\r\n")];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

interface Read {
  readonly fields: Record<string, string>;
  readonly fileName: string;
  readonly file: string;
}

/** Reads the form from a body that arrives in pieces; returns it, or the code of the error. */
async function read(
  body: Buffer,
  cuts: readonly number[] = [],
  contentType?: string,
): Promise<Read | string> {
  const bounds = [0, ...cuts.map((cut) => cut % (body.length + 1)).sort((a, b) => a - b), body.length];
  const pieces = bounds.slice(1).map((end, i) => body.subarray(bounds[i], end));
  const stream = Readable.from(pieces.filter(({ length }) => length > 0));
  try {
    const form = await openForm({
      stream,
      contentType: contentType ?? `multipart/form-data; boundary=${BOUNDARY}`,
      limits: { ...defaultLimits, formFieldBytesMax: 2000 },
      onStart: () => undefined,
    });
    const file: Buffer[] = [];
    for await (const piece of form.file) file.push(Buffer.from(piece));
    const { fields, fileName } = form;
    return { fields: Object.fromEntries(fields), fileName, file: Buffer.concat(file).toString("latin1") };
  } catch (error) {
    if (error instanceof S3Error) return error.code;
    throw error;
  }
}

/** Bytes that begin like a delimiter more often than random ones would. */
const nearDelimiters = fc
  .array(
    fc.constantFrom("\r", "\n", "-", "--", "\r\n--", "\r\n--a-bound", "a-boundary", "x", "\u00e9", "\0"),
    {
      maxLength: 40,
    },
  )
  .map((texts) => texts.join(""))
  .filter((text) => !text.includes(`\r\n--${BOUNDARY}`));

test("a form is parsed the same however its bytes are split", async () => {
  const cuts = fc.array(fc.nat(4000), { maxLength: 30 });
  const property = fc.asyncProperty(nearDelimiters, nearDelimiters, cuts, async (value, file, at) => {
    const parts = [
      { name: "Key", bytes: Buffer.from(value) },
      { name: "file", fileName: "a.txt", bytes: Buffer.from(file) },
      { name: "submit", bytes: Buffer.from(value) },
    ];
    const expected = {
      fields: { key: value },
      fileName: "a.txt",
      file: Buffer.from(file).toString("latin1"),
    };
    expect(await read(encode(parts), at)).toEqual(expected);
  });
  await fc.assert(property, { numRuns: 300 });
});

test("any bytes give the same form or the same error however they are split", async () => {
  const some = fc.constantFrom(
    ...[
      "--a-boundary",
      "\r\n",
      "--",
      "\r\n\r\n",
      "Content-Disposition: form-data; name=",
      '"key"',
      "file",
      " ",
    ],
    ...['; filename="a"', "x", "\r", "-", "x".repeat(700)],
  );
  const bodies = fc.array(some, { maxLength: 30 }).map((texts) => Buffer.from(texts.join("")));
  const property = fc.asyncProperty(bodies, fc.array(fc.nat(400), { maxLength: 20 }), async (body, cuts) => {
    const everyByte = Array.from({ length: body.length }, (_, at) => at);
    const whole = await read(body);
    expect([await read(body, cuts), await read(body, everyByte)]).toEqual([whole, whole]);
  });
  await fc.assert(property, { numRuns: 1000 });
});

const field = (name: string, value: string): Part => ({ name, bytes: Buffer.from(value) });
const file = (fileName: string, value = "hello"): Part => ({
  name: "file",
  fileName,
  bytes: Buffer.from(value),
});

describe("the name of the file", () => {
  test.each([
    ["a.txt", "a.txt"],
    ["C:\\pictures\\a.txt", "a.txt"],
    ["/home/ada/a.txt", "a.txt"],
    ["caf\u00e9 \u4e2d.txt", "caf\u00e9 \u4e2d.txt"],
    ["a%22b.txt", "a%22b.txt"],
    ['a\\"b.txt', 'a"b.txt'],
    ["", ""],
    ["dir/", ""],
  ])("%j is read as %j", async (sent, fileName) => {
    expect(await read(encode([file(sent)]))).toMatchObject({ fileName });
  });

  test("may be encoded as in RFC 8187", async () => {
    const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; filename*=UTF-8''caf%C3%A9; name=file\r\n\r\n`;
    expect(await read(Buffer.from(`${head}x\r\n--${BOUNDARY}--`))).toMatchObject({ fileName: "caf\u00e9" });
  });
});

describe("a body", () => {
  test.each([
    ["with an empty file", encode([field("a", ""), file("a", "")]), { file: "", fields: { a: "" } }],
    ["with a preamble", Buffer.concat([Buffer.from("hi\r\n"), encode([file("a")])]), { file: "hello" }],
    [
      "with blanks after a delimiter",
      Buffer.from(
        encode([file("a")])
          .toString()
          .replace("y\r\n", "y \t\r\n"),
      ),
      {
        file: "hello",
      },
    ],
    ["without a line break at its end", encode([file("a")]).subarray(0, -2), { file: "hello" }],
  ])("%s is read", async (_, body, expected) => {
    expect(await read(body)).toMatchObject(expected);
  });

  test.each([
    ["without a file", encode([field("key", "a")]), "IncorrectNumberOfFilesInPostRequest"],
    ["without parts", encode([]), "IncorrectNumberOfFilesInPostRequest"],
    ["with two files", encode([file("a"), file("b")]), "IncorrectNumberOfFilesInPostRequest"],
    ["that is empty", Buffer.alloc(0), "IncompleteBody"],
    ["that ends within the file", encode([file("a")]).subarray(0, -20), "IncompleteBody"],
    ["that ends before the last delimiter is whole", encode([file("a")]).subarray(0, -3), "IncompleteBody"],
    ["of another boundary", encode([file("a")], "another"), "IncompleteBody"],
    ["with a field twice", encode([field("a", "1"), field("A", "2"), file("a")]), "MalformedPOSTRequest"],
    [
      "with a field without a name",
      Buffer.from(`--${BOUNDARY}\r\nA: b\r\n\r\nx\r\n`),
      "MalformedPOSTRequest",
    ],
    ["with more behind a delimiter", Buffer.from(`--${BOUNDARY}x\r\n\r\n`), "MalformedPOSTRequest"],
    [
      "with a field that is not UTF-8",
      encode([{ name: "a", bytes: Buffer.from([0xff]) }, file("a")]),
      "MalformedPOSTRequest",
    ],
    ["with long headers", Buffer.from(`--${BOUNDARY}\r\nA: ${"b".repeat(9000)}`), "MalformedPOSTRequest"],
    ["with a long field", encode([field("a", "b".repeat(2001)), file("a")]), "MaxPostPreDataLengthExceeded"],
    [
      "with many fields",
      encode(Array.from({ length: 50 }, (_, i) => field(`a${i}`, ""))),
      "MaxPostPreDataLengthExceeded",
    ],
    ["with a long preamble", Buffer.alloc(2001, "a"), "MaxPostPreDataLengthExceeded"],
    [
      "with much behind the last delimiter",
      Buffer.concat([encode([file("a")]), Buffer.alloc(2001)]),
      "MaxPostPreDataLengthExceeded",
    ],
  ])("%s is refused", async (_, body, code) => {
    expect(await read(body)).toBe(code);
  });
});

describe("the content type", () => {
  test.each([
    [`multipart/form-data; boundary=${BOUNDARY}`, true],
    [`Multipart/Form-Data;charset=utf-8;boundary="${BOUNDARY}"`, true],
    ["multipart/form-data", false],
    ["multipart/form-data; boundary=", false],
    [`multipart/form-data; boundary="${"b".repeat(71)}"`, false],
    ['multipart/form-data; boundary="a\r\nb"', false],
  ])("the boundary in %j is valid: %s", async (contentType, isValid) => {
    const answer = await read(encode([file("a")]), [], contentType);
    expect(answer).toEqual(isValid ? { fields: {}, fileName: "a", file: "hello" } : "MalformedPOSTRequest");
  });

  test.each([
    ["multipart/form-data", true],
    ["MULTIPART/FORM-DATA ; boundary=a", true],
    ["multipart/form-database", false],
    ["application/xml", false],
    [undefined, false],
  ])("%j is the type of a form: %s", (contentType, isForm) => {
    expect(isFormContent(contentType)).toBe(isForm);
  });
});
