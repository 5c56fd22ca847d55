/** Tests the examples that AWS publishes for Signature Version 4 on S3. */
import { expect, test } from "vitest";
import { ChunkedDecoder } from "../body/chunked-decoder.ts";
import { readTrailer } from "../body/trailer.ts";
import { createRequestHeaders } from "../request/headers.ts";
import { parseTarget } from "../request/target.ts";
import type { AccessKey } from "./access-key.ts";
import { type Authenticated, authenticate } from "./authenticate.ts";
import { createChunkSignatures } from "./chunk-signature.ts";
import { createSigningKeys } from "./signing-key.ts";

const key: AccessKey = {
  id: "AKIAIOSFODNN7EXAMPLE",
  secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  owner: "stashlight",
  isDisabled: false,
  permission: "write",
  buckets: "all",
};
const nowMs = Date.UTC(2013, 4, 24);
const HOST = "examplebucket.s3.amazonaws.com";
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

function check(
  method: string,
  url: string,
  headers: Record<string, string>,
  region = "us-east-1",
): Promise<Authenticated> {
  return authenticate(
    {
      method,
      target: parseTarget(url, HOST, { baseDomains: ["s3.amazonaws.com"], hostNames: [] }),
      headers: createRequestHeaders(Object.entries(headers).flat()),
    },
    { region, findAccessKey: (id) => (id === key.id ? key : null), signingKeys: createSigningKeys(), nowMs },
  );
}

function signed(names: string, signature: string, headers: Record<string, string>): Record<string, string> {
  return {
    host: HOST,
    "x-amz-date": "20130524T000000Z",
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${key.id}/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=${signature}`,
  };
}

const examples: readonly [name: string, method: string, url: string, headers: Record<string, string>][] = [
  [
    "GET of an object's range",
    "GET",
    "/test.txt",
    signed(
      "host;range;x-amz-content-sha256;x-amz-date",
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
      { range: "bytes=0-9", "x-amz-content-sha256": EMPTY },
    ),
  ],
  [
    "PUT of an object",
    "PUT",
    "/test$file.text",
    signed(
      "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
      {
        date: "Fri, 24 May 2013 00:00:00 GMT",
        "x-amz-storage-class": "REDUCED_REDUNDANCY",
        "x-amz-content-sha256": "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
      },
    ),
  ],
  [
    "GET of a bucket's lifecycle",
    "GET",
    "/?lifecycle",
    signed(
      "host;x-amz-content-sha256;x-amz-date",
      "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
      { "x-amz-content-sha256": EMPTY },
    ),
  ],
  [
    "GET of a list",
    "GET",
    "/?max-keys=2&prefix=J",
    signed(
      "host;x-amz-content-sha256;x-amz-date",
      "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
      { "x-amz-content-sha256": EMPTY },
    ),
  ],
  [
    "presigned GET",
    "GET",
    "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request" +
      "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host" +
      "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
    { host: HOST },
  ],
];

test.each(examples)("%s is accepted", async (_, method, url, headers) => {
  const { principal } = await check(method, url, headers);
  expect(principal.accessKey.id).toBe(key.id);
});

test.each(examples)(
  "%s with any bit of its signature flipped is refused",
  async (_, method, url, headers) => {
    const flip = (text: string, bit: number) =>
      text.replace(/Signature=([0-9a-f]{64})$/, (_whole, hex: string) => {
        const bytes = Buffer.from(hex, "hex");
        bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
        return `Signature=${bytes.toString("hex")}`;
      });
    for (let bit = 0; bit < 256; bit++) {
      const isInHeader = headers.authorization !== undefined;
      const changed = isInHeader
        ? { ...headers, authorization: flip(headers.authorization as string, bit) }
        : headers;
      await expect(check(method, isInHeader ? url : flip(url, bit), changed)).rejects.toMatchObject({
        code: "SignatureDoesNotMatch",
        status: 403,
      });
    }
  },
);

test("a credential for a day other than the request's is refused", async () => {
  const headers = { ...signed("host;x-amz-date", "0".repeat(64), {}), "x-amz-date": "20130523T235959Z" };
  await expect(check("GET", "/", headers)).rejects.toMatchObject({ code: "AuthorizationHeaderMalformed" });
});

const CHUNKED = signed(
  "content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;x-amz-storage-class",
  "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9",
  {
    "x-amz-storage-class": "REDUCED_REDUNDANCY",
    "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
    "content-encoding": "aws-chunked",
    "x-amz-decoded-content-length": "66560",
    "content-length": "66824",
  },
);

const chunks = [
  ["10000", "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648", 65_536],
  ["400", "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497", 1024],
  ["0", "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9", 0],
] as const;

test("the example of a body in signed chunks is accepted, and refused with any one bit changed", async () => {
  const { seed } = await check("PUT", "/examplebucket/chunkObject.txt", {
    ...CHUNKED,
    host: "s3.amazonaws.com",
  });
  const body = Buffer.concat(
    chunks.map(([hex, signature, bytes]) =>
      Buffer.concat([
        Buffer.from(`${hex};chunk-signature=${signature}\r\n`),
        Buffer.alloc(bytes, "a"),
        Buffer.from("\r\n"),
      ]),
    ),
  );
  expect(body.length).toBe(66_824);
  const decode = (bytes: Buffer) => {
    const signatures = createChunkSignatures(seed);
    const limits = { signedChunkBytesMax: 1 << 20, trailerBytesMax: 100 };
    const decoder = new ChunkedDecoder({ ...limits, signatures, decodedBytes: 66_560 });
    const data = Buffer.concat(decoder.push(bytes));
    readTrailer(decoder.end(), { algorithm: null, signatures });
    return data;
  };
  expect(decode(body).equals(Buffer.alloc(66_560, "a"))).toBe(true);
  for (let at = 0; at < body.length - 2; at += 97) {
    const broken = Buffer.from(body);
    broken[at] = (broken[at] as number) ^ 1;
    expect(() => decode(broken)).toThrow();
  }
});

test("the example of a signed trailer is accepted", () => {
  const seed = {
    signingKey: createSigningKeys()(key.id, key.secret, {
      date: "20130524",
      region: "us-east-1",
      service: "s3",
    }),
    timestamp: "20130524T000000Z",
    scope: { date: "20130524", region: "us-east-1", service: "s3" },
    signature: "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e",
  };
  const signatures = createChunkSignatures(seed);
  signatures.checkChunk(
    Buffer.alloc(65_536, "a"),
    "b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2",
  );
  signatures.checkChunk(
    Buffer.alloc(1024, "a"),
    "1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7",
  );
  signatures.checkChunk(Buffer.alloc(0), "2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992");
  const text =
    "x-amz-checksum-crc32c:sOO8/Q==\n\r\n" +
    "x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n";
  expect(readTrailer(text, { algorithm: "CRC32C", signatures })).toBe("sOO8/Q==");
});
