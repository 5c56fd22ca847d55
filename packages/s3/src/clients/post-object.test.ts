/** Uploads by a browser's form: what a policy allows is stored, and everything else is refused as AWS does. */
import { createHash, createHmac } from "node:crypto";
import { createPresignedPost, type PresignedPostOptions } from "@aws-sdk/s3-presigned-post";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { awsClientOf } from "../testing/aws-client.ts";
import { postForm, signForm } from "../testing/post-form.ts";
import { openConnection } from "../testing/raw-connection.ts";
import { testKeys } from "../testing/start-edge.ts";
import { useEdge } from "../testing/use-edge.ts";

const MIB = 1_048_576;
const NOW_MS = Date.now();
const TIMESTAMP = new Date(NOW_MS).toISOString().replace(/[-:]|\.\d{3}/g, "");
const LATER = new Date(NOW_MS + 3_600_000).toISOString();
const admitted: string[] = [];
let url: string;
const admit = async ({ operation, key }: { operation: string; key: string }) => {
  admitted.push(`${operation} ${key}`);
  return () => undefined;
};
const limits = { uploadBytesMax: 8 * MIB, lingerMs: 300 };
const edge = await useEdge({ nowMs: () => NOW_MS, limits, admit });

beforeAll(async () => {
  edge.store.addBucket("photos");
  edge.store.addBucket("mine");
  url = `${edge.url}/photos`;
});

beforeEach(async () => {
  await edge.store.deleteObject({} as never, { bucket: "photos", key: "k", precondition: { kind: "none" } });
});

/** The minimal conditions, for a form with only a key. */
const usual = [
  { bucket: "photos" },
  ["starts-with", "$key", ""],
  { "x-amz-algorithm": "AWS4-HMAC-SHA256" },
  ["starts-with", "$x-amz-credential", ""],
  { "x-amz-date": TIMESTAMP },
] as const;

interface Form {
  readonly conditions?: readonly unknown[];
  readonly fields?: Readonly<Record<string, string>>;
  readonly file?: Blob;
  readonly fileName?: string;
  readonly key?: { readonly id: string; readonly secret: string };
  readonly headers?: Readonly<Record<string, string>>;
}

async function send({ conditions = [], fields = {}, key, ...more }: Form): Promise<Response> {
  const policy = { expiration: LATER, conditions: [...usual, ...conditions] };
  const signed = signForm({ policy, timestamp: TIMESTAMP, ...(key && { key }) });
  return await postForm({ url, fields: { key: "k", ...fields, ...signed }, ...more });
}

async function refusal(answer: Response): Promise<readonly [number, string, string]> {
  const text = await answer.text();
  return [
    answer.status,
    /<Code>(.*)<\/Code>/.exec(text)?.[1] ?? "",
    /<Message>(.*)<\/Message>/s.exec(text)?.[1] ?? "",
  ];
}

const stored = (key = "k") => edge.store.find({ bucket: "photos", key });

describe("a form of the AWS SDK", () => {
  const create = (more: Partial<PresignedPostOptions>) =>
    createPresignedPost(awsClientOf(edge), { Bucket: "photos", Key: "k", Expires: 60, ...more });

  test("stores its file with the form's fields", async () => {
    const fields = {
      "Content-Type": "text/plain",
      "Cache-Control": "no-store",
      "x-amz-meta-colour": "bl\u00fce",
      acl: "private",
    };
    const form = await create({ Fields: fields });
    const answer = await postForm({ ...form, file: new Blob(["hello"]) });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(answer.headers.get("etag")).toBe(`"${createHash("md5").update("hello").digest("hex")}"`);
    expect(answer.headers.get("location")).toBe(`${url}/k`);
    const { bytes, attributes } = stored() ?? {};
    expect(bytes?.toString()).toBe("hello");
    expect(attributes).toMatchObject({
      contentType: "text/plain",
      contentHeaders: { "cache-control": "no-store" },
      userMetadata: { colour: Buffer.from("bl\u00fce").toString("latin1") },
    });
  });

  test("may take the key from the file name", async () => {
    const form = await create({
      Key: `user/ada/$\{filename}`,
      Conditions: [["starts-with", "$key", "user/ada/"]],
    });
    expect((await postForm({ ...form, fileName: "$& caf\u00e9.txt" })).status).toBe(204);
    expect(stored("user/ada/$& caf\u00e9.txt")?.bytes.toString()).toBe("hello");
  });

  test.each([0, 1, MIB - 1, MIB, MIB + 1, 5 * MIB])("stores a file of %i bytes", async (sizeBytes) => {
    const bytes = Buffer.alloc(sizeBytes, "\r\n--x");
    const answer = await postForm({ ...(await create({})), file: new Blob([bytes]) });
    expect(answer.status).toBe(204);
    expect(stored()?.bytes.equals(bytes)).toBe(true);
    expect(stored()?.etag).toBe(createHash("md5").update(bytes).digest("hex"));
  });

  test.each([
    ["too large", 10, "EntityTooLarge"],
    ["too small", 1, "EntityTooSmall"],
    ["within", 5, ""],
  ])("is stored only if its file is within the size range of the policy: %s", async (_, sizeBytes, code) => {
    const form = await create({ Conditions: [["content-length-range", 2, 9]] });
    const answer = await postForm({ ...form, file: new Blob([Buffer.alloc(sizeBytes)]) });
    expect([answer.status, await answer.text()]).toEqual([code ? 400 : 204, expect.stringContaining(code)]);
    expect(stored()?.bytes.length).toBe(code ? undefined : sizeBytes);
  });
});

describe("the answer", () => {
  test.each([
    ["200", 200],
    ["201", 201],
    ["204", 204],
    ["302", 204],
    ["", 204],
  ])("to success_action_status %j is %i", async (status, expected) => {
    const conditions = [["starts-with", "$success_action_status", ""]];
    const answer = await send({ conditions, fields: { success_action_status: status } });
    const text = await answer.text();
    expect(answer.status).toBe(expected);
    if (expected !== 201) expect(text).toBe("");
    else expect(text).toContain(`<Location>${url}/k</Location><Bucket>photos</Bucket><Key>k</Key><ETag>`);
  });

  test.each([
    ["http://app.example.org/done", "http://app.example.org/done?bucket=photos&key=k&etag=%22"],
    ["https://app.example.org/?a=b#c", "https://app.example.org/?a=b&bucket=photos&key=k&etag=%22"],
  ])("redirects to %s as the policy allows", async (address, expected) => {
    for (const name of ["success_action_redirect", "redirect"]) {
      const answer = await send({ conditions: [["eq", `$${name}`, address]], fields: { [name]: address } });
      expect([answer.status, answer.headers.get("location")]).toEqual([
        303,
        expect.stringContaining(expected),
      ]);
    }
  });

  test("does not redirect where the policy does not allow it", async () => {
    const conditions = [["starts-with", "$success_action_redirect", "https://app.example.org/"]];
    const fields = { success_action_redirect: "https://app.example.org.evil.test/" };
    expect((await refusal(await send({ conditions, fields }))).slice(0, 2)).toEqual([403, "AccessDenied"]);
    expect(stored()).toBeUndefined();
  });

  test.each([
    ["javascript:alert(1)", 204],
    ["/done", 204],
    ["http://", 204],
    ["http://app.example.org/\r\nset-cookie: a=b", 400],
  ])("does not redirect to %j", async (address, status) => {
    const conditions = [["starts-with", "$success_action_redirect", ""]];
    const answer = await send({ conditions, fields: { success_action_redirect: address } });
    expect([answer.status, answer.headers.get("location")]).toEqual([
      status,
      status === 204 ? `${url}/k` : null,
    ]);
  });

  test("has the CORS headers of the bucket's rule", async () => {
    const rule = "<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>POST</AllowedMethod></CORSRule>";
    const text = `<CORSConfiguration>${rule}</CORSConfiguration>`;
    await edge.store.writeBucketSetting({} as never, { bucket: "photos", name: "cors", text });
    const answer = await send({ headers: { origin: "https://app.example.org" } });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
  });
});

describe("a policy", () => {
  const policyOf = async (policy: Parameters<typeof signForm>[0]["policy"], fields = {}) => {
    const signed = signForm({ policy, timestamp: TIMESTAMP });
    return await refusal(await postForm({ url, fields: { key: "k", ...fields, ...signed } }));
  };
  const conditions = [...usual];

  test.each([
    ["is not JSON", "{"],
    ["is no object", "[]"],
    ["has no expiration", { conditions }],
    ["has an expiration in another case", { Expiration: LATER, conditions }],
    ["has an expiration in words", { expiration: "tomorrow", conditions }],
    ["has an expiration of another form", { expiration: "2126-01-31 23:59:59", conditions }],
    ["has an impossible expiration", { expiration: "2126-13-31T23:59:59Z", conditions }],
    ["has no conditions", { expiration: LATER }],
    ["has conditions in another case", { expiration: LATER, Conditions: conditions }],
    ["has an empty condition", { expiration: LATER, conditions: [...conditions, {}] }],
    ["has two fields in one condition", { expiration: LATER, conditions: [{ bucket: "photos", key: "k" }] }],
    ["compares with a number", { expiration: LATER, conditions: [{ key: 1 }] }],
    ["has an unknown operator", { expiration: LATER, conditions: [["ends-with", "$key", "k"]] }],
    ["names a field without a dollar sign", { expiration: LATER, conditions: [["eq", "key", "k"]] }],
    ["has half a range", { expiration: LATER, conditions: [...conditions, ["content-length-range", 0]] }],
    ["has a negative range", { expiration: LATER, conditions: [["content-length-range", -1, 0]] }],
    ["has a range backwards", { expiration: LATER, conditions: [["content-length-range", 2, 1]] }],
  ])("that %s is malformed", async (_, policy) => {
    expect((await policyOf(policy as never)).slice(0, 2)).toEqual([400, "InvalidPolicyDocument"]);
    expect(stored()).toBeUndefined();
  });

  const expired = new Date(NOW_MS - 1000).toISOString();

  test.each([
    ["has expired", { expiration: expired, conditions }, {}, "Policy expired"],
    [
      "has no condition on the bucket",
      { expiration: LATER, conditions: conditions.slice(1) },
      {},
      "Extra input fields: bucket",
    ],
    [
      "is for another bucket",
      { expiration: LATER, conditions: [{ bucket: "other" }, ...conditions.slice(1)] },
      {},
      "$bucket",
    ],
    [
      "has no condition on a field",
      { expiration: LATER, conditions },
      { "x-amz-meta-a": "b" },
      "Extra input fields: x-amz-meta-a",
    ],
    [
      "has another value",
      { expiration: LATER, conditions: [...conditions, ["eq", "$key", "other"]] },
      {},
      "$key",
    ],
    [
      "has another beginning",
      { expiration: LATER, conditions: [...conditions, ["starts-with", "$key", "other/"]] },
      {},
      "$key",
    ],
    [
      "has a condition on a missing field",
      { expiration: LATER, conditions: [...conditions, ["starts-with", "$acl", ""]] },
      {},
      "$acl",
    ],
    [
      "has a condition that not all content types meet",
      { expiration: LATER, conditions: [...conditions, ["starts-with", "$Content-Type", "image/"]] },
      { "Content-Type": "image/png, text/html" },
      "$content-type",
    ],
  ])("that %s refuses the form", async (_, policy, fields, message) => {
    const answer = await policyOf(policy, fields);
    expect(answer).toEqual([403, "AccessDenied", expect.stringContaining(message)]);
    expect(stored()).toBeUndefined();
  });

  test.each([
    ["names in another case", [["StArTs-WiTh", "$KeY", ""]], { kEy: "k" }],
    ["fields to ignore", [], { "x-ignore-name": "a" }],
    ["fields that mean nothing here", [{ submit: "Upload" }], { submit: "Upload" }],
    [
      "a list of content types",
      [["starts-with", "$Content-Type", "image/"]],
      { "Content-Type": "image/png,image/gif" },
    ],
    [
      "an encoded empty set of tags",
      [["starts-with", "$tagging", ""]],
      { tagging: "<Tagging><TagSet></TagSet></Tagging>" },
    ],
  ])("allows %s", async (_, more, fields: Readonly<Record<string, string>>) => {
    const policy = { expiration: LATER, conditions: [...conditions, ...more] };
    const signed = signForm({ policy, timestamp: TIMESTAMP });
    const key: Record<string, string> = "kEy" in fields ? {} : { key: "k" };
    expect((await postForm({ url, fields: { ...key, ...fields, ...signed } })).status).toBe(204);
    expect(stored()?.bytes.toString()).toBe("hello");
  });

  test("may escape a dollar sign as AWS documents it", async () => {
    const text = JSON.stringify({ expiration: LATER, conditions: [...conditions, ["eq", "$key", "#5"]] });
    const signed = signForm({ policy: text.replace("#5", "\\$5"), timestamp: TIMESTAMP });
    expect((await postForm({ url, fields: { key: "$5", ...signed } })).status).toBe(204);
  });
});

describe("a form that is signed with version 2, as boto3 does by default,", () => {
  const signed = (key: { readonly id: string; readonly secret: string }, conditions: readonly unknown[]) => {
    const document = { expiration: LATER, conditions: [{ bucket: "photos" }, { key: "k" }, ...conditions] };
    const policy = Buffer.from(JSON.stringify(document)).toString("base64");
    const signature = createHmac("sha1", key.secret).update(policy).digest("base64");
    return { key: "k", AWSAccessKeyId: key.id, policy, signature };
  };

  test("is stored", async () => {
    const fields = { ...signed(testKeys.writer, [{ acl: "private" }]), acl: "private" };
    expect((await postForm({ url, fields })).status).toBe(204);
    expect(stored()?.bytes.toString()).toBe("hello");
  });

  test.each([
    ["by a reader's key", signed(testKeys.reader, []), "AccessDenied"],
    ["by a disabled key", signed(testKeys.disabled, []), "AccessDenied"],
    ["by an unknown key", signed({ id: "NOKEY", secret: "none" }, []), "SignatureDoesNotMatch"],
    ["by another secret", signed({ ...testKeys.writer, secret: "none" }, []), "SignatureDoesNotMatch"],
    [
      "before its policy changed",
      { ...signed(testKeys.writer, []), policy: "e30=" },
      "SignatureDoesNotMatch",
    ],
    ["for other fields", { ...signed(testKeys.writer, []), acl: "private" }, "AccessDenied"],
  ])("%s is refused", async (_, fields, code) => {
    const answer = await postForm({ url, fields: fields as unknown as Record<string, string> });
    expect((await refusal(answer)).slice(0, 2)).toEqual([403, code]);
    expect(stored()).toBeUndefined();
  });
});

describe("a form", () => {
  const signed = () => {
    const conditions = [...usual, ["starts-with", "$x-amz-meta-a", ""]];
    return signForm({ policy: { expiration: LATER, conditions }, timestamp: TIMESTAMP });
  };

  test.each(["policy", "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-signature"])(
    "without the field %s is refused",
    async (name) => {
      const { [name]: _, ...fields } = signed();
      const [status, code] = await refusal(await postForm({ url, fields: { key: "k", ...fields } }));
      expect([status, code]).toEqual([400, "InvalidArgument"]);
    },
  );

  test.each([
    ["without a signature", {}, 403, "AccessDenied"],
    ["with half a signature of version 2", { AWSAccessKeyId: "a", policy: "b" }, 400, "InvalidArgument"],
    ["with the other half", { signature: "a", policy: "b" }, 400, "InvalidArgument"],
  ])("%s is refused", async (_, fields, status, code) => {
    const answer = await refusal(await postForm({ url, fields: { key: "k", ...fields } }));
    expect(answer.slice(0, 2)).toEqual([status, code]);
  });

  test.each([
    ["x-amz-signature", "0".repeat(64), 403, "SignatureDoesNotMatch"],
    [
      "x-amz-credential",
      `NOKEY/${TIMESTAMP.slice(0, 8)}/us-east-1/s3/aws4_request`,
      403,
      "SignatureDoesNotMatch",
    ],
    ["x-amz-credential", "nonsense", 400, "AuthorizationQueryParametersError"],
    [
      "x-amz-credential",
      `A/${TIMESTAMP.slice(0, 8)}/eu-west-1/s3/aws4_request`,
      400,
      "AuthorizationQueryParametersError",
    ],
    ["x-amz-date", "yesterday", 400, "AuthorizationQueryParametersError"],
    ["x-amz-date", "20000101T000000Z", 400, "AuthorizationQueryParametersError"],
    ["x-amz-algorithm", "AWS4-ECDSA-P256-SHA256", 400, "InvalidRequest"],
  ])("whose %s is %s is refused", async (name, value, status, code) => {
    const fields = { key: "k", ...signed(), "x-amz-meta-a": "", [name]: value };
    expect((await refusal(await postForm({ url, fields }))).slice(0, 2)).toEqual([status, code]);
  });

  test("whose policy was changed after it was signed is refused", async () => {
    const policy = Buffer.from(JSON.stringify({ expiration: LATER, conditions: [] })).toString("base64");
    const answer = await postForm({ url, fields: { key: "k", ...signed(), policy } });
    expect((await refusal(answer)).slice(0, 2)).toEqual([403, "SignatureDoesNotMatch"]);
  });

  test.each([
    ["without a key", {}, 400, "InvalidArgument"],
    ["with an empty key", { key: "" }, 400, "InvalidArgument"],
    ["with a long key", { key: "k".repeat(1025) }, 400, "KeyTooLongError"],
    ["for another bucket", { key: "k", bucket: "mine" }, 403, "AccessDenied"],
    ["with a checksum that differs", { key: "k", "x-amz-checksum-crc32": "AAAAAA==" }, 400, "BadDigest"],
    ["with its checksum", { key: "k", "x-amz-checksum-crc32": "NhCmhg==" }, 204, ""],
    ["with an MD5 that differs", { key: "k", "content-md5": "1B2M2Y8AsgTpgAmY7PhCfg==" }, 400, "BadDigest"],
    ["with its MD5", { key: "k", "content-md5": "XUFAKrxLKna5cZ2REBfFkg==" }, 204, ""],
    ["with a grant", { key: "k", acl: "public-read" }, 501, "NotImplemented"],
    [
      "with an access list twice",
      { key: "k", acl: "private", "x-amz-acl": "private" },
      400,
      "InvalidArgument",
    ],
    ["with a source to copy", { key: "k", "x-amz-copy-source": "photos/k" }, 400, "InvalidArgument"],
    ["with a hash of its body", { key: "k", "x-amz-content-sha256": "a" }, 400, "InvalidArgument"],
    ["with a line break in metadata", { key: "k", "x-amz-meta-a": "b\r\nc: d" }, 400, "InvalidArgument"],
    ["with a header that AWS does not know", { key: "k", "x-amz-colour": "blue" }, 501, "NotImplemented"],
  ])(
    "%s gets the expected status and error code",
    async (_, fields: Record<string, string>, status, code) => {
      const named = Object.keys(fields).map((name) => ["starts-with", `$${name}`, ""]);
      const conditions = [...usual.filter((one) => !Array.isArray(one) || one[1] !== "$key"), ...named];
      const form = signForm({ policy: { expiration: LATER, conditions }, timestamp: TIMESTAMP });
      const answer = await refusal(await postForm({ url, fields: { ...fields, ...form } }));
      expect(answer.slice(0, 2)).toEqual([status, code]);
      expect(stored() === undefined).toBe(status !== 204);
    },
  );

  test("announced as too large is refused before its file arrives", async () => {
    const conditions = [...usual, ["content-length-range", 0, 1000]];
    const policy = { expiration: LATER, conditions };
    const fields = { key: "k", ...signForm({ policy, timestamp: TIMESTAMP }) };
    const parts = Object.entries({ ...fields, file: "hello" }).map(
      ([name, value]) => `--a\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const connection = openConnection(edge.port);
    const head = `content-type: multipart/form-data; boundary=a\r\ncontent-length: ${MIB}\r\n`;
    connection.write(`POST /photos HTTP/1.1\r\nhost: 127.0.0.1\r\n${head}\r\n${parts.join("")}`);
    const { status, body } = await connection.answer();
    expect([status, body]).toEqual([400, expect.stringContaining("EntityTooLarge")]);
    connection.close();
  });

  test.each([
    ["a reader's key", testKeys.reader, 403],
    ["another owner's key", testKeys.stranger, 403],
    ["a key of other buckets", testKeys.limited, 403],
    ["a disabled key", testKeys.disabled, 403],
  ])("signed by %s is refused", async (_, key, status) => {
    expect((await refusal(await send({ key }))).slice(0, 2)).toEqual([status, "AccessDenied"]);
    expect(stored()).toBeUndefined();
  });

  test.each([
    ["stashlight", 204],
    ["other", 403],
  ])("for a bucket that is expected to belong to %s is answered %i", async (owner, status) => {
    const name = "x-amz-expected-bucket-owner";
    expect((await send({ headers: { [name]: owner } })).status).toBe(status);
    const conditions = [["starts-with", `$${name}`, ""]];
    expect((await send({ conditions, fields: { [name]: owner } })).status).toBe(status);
  });

  test("with an x-amz- header beside its fields is refused", async () => {
    expect((await refusal(await send({ headers: { "x-amz-meta-a": "b" } }))).slice(0, 2)).toEqual([
      403,
      "AccessDenied",
    ]);
    expect((await send({ headers: { "x-amz-user-agent": "b" } })).status).toBe(204);
  });

  test("is admitted as PostObject with the key of its fields, and observed with its bucket", async () => {
    admitted.length = 0;
    await send({});
    expect(admitted).toEqual(["PostObject k"]);
    expect(edge.requests.at(-1)).toMatchObject({ operation: "PostObject", bucket: "photos", status: 204 });
  });

  test.each([
    ["/k", 403, "AccessDenied"],
    ["?uploads", 405, "MethodNotAllowed"],
    ["?acl", 405, "MethodNotAllowed"],
  ])("to %s is not accepted as an upload", async (more, status, code) => {
    const fields = { key: "k", "x-amz-meta-a": "", ...signed() };
    const answer = await postForm({ url: url + more, fields });
    expect((await refusal(answer)).slice(0, 2)).toEqual([status, code]);
  });

  test("stores nothing when the connection ends within its file", async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ key: "k", "x-amz-meta-a": "", ...signed() }))
      form.append(name, value);
    form.append("file", new Blob([Buffer.alloc(2 * MIB)]), "a");
    const request = new Request(url, { method: "POST", body: form });
    const body = Buffer.from(await request.arrayBuffer());
    for (const sentBytes of [body.length - 30, body.length - MIB, 3000]) {
      const connection = openConnection(edge.port);
      const type = request.headers.get("content-type") ?? "";
      connection.write(
        `POST /photos HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n`,
      );
      connection.write(body.subarray(0, sentBytes));
      connection.end();
      expect((await connection.answer()).status).toBe(400);
      connection.close();
    }
    expect(stored()).toBeUndefined();
  });

  test("of unknown length is refused", async () => {
    const connection = openConnection(edge.port);
    connection.write(
      "POST /photos HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: multipart/form-data; boundary=a\r\ntransfer-encoding: chunked\r\n\r\n",
    );
    expect((await connection.answer()).status).toBe(411);
    connection.close();
  });
});
