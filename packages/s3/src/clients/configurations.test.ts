/** Tests configurations of buckets and objects: AWS's answers while nothing is set, and which writes succeed. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bucketConfigurations } from "../operations/configuration/of-buckets.ts";
import { objectConfigurations } from "../operations/configuration/of-objects.ts";
import { useWireEdge } from "../testing/use-edge.ts";
import { exchange } from "../testing/wire.ts";

const edge = await useWireEdge();

beforeAll(async () => {
  await exchange(edge, "PUT", "/other");
  const { status } = await exchange(edge, "PUT", "/bucket/k", { body: "hello" });
  expect(status).toBe(200);
});

afterAll(async () => {
  // Checks that no request of these tests was mistaken for one about the bucket or the object itself.
  expect(edge.store.find({ bucket: "bucket", key: "k" })?.bytes.toString()).toBe("hello");
});

const OWNER = "<ID>stashlight</ID>";
const FULL = "<Permission>FULL_CONTROL</Permission>";

type Row = readonly [subresource: string, status: number, content: string];

const ofBuckets: readonly Row[] = [
  ["abac", 200, "<Status>Disabled</Status>"],
  ["accelerate", 200, "<AccelerateConfiguration xmlns="],
  ["acl", 200, FULL],
  ["analytics", 200, "<ListBucketAnalyticsConfigurationResult"],
  ["analytics&id=a", 404, "NoSuchConfiguration"],
  ["cors", 404, "NoSuchCORSConfiguration"],
  ["encryption", 404, "ServerSideEncryptionConfigurationNotFoundError"],
  ["intelligent-tiering", 200, "<ListBucketIntelligentTieringConfigurationsOutput"],
  ["intelligent-tiering&id=a", 404, "NoSuchConfiguration"],
  ["inventory", 200, "<ListInventoryConfigurationsResult"],
  ["inventory&id=a", 404, "NoSuchConfiguration"],
  ["lifecycle", 404, "NoSuchLifecycleConfiguration"],
  ["logging", 200, "<BucketLoggingStatus xmlns="],
  ["metrics", 200, "<ListMetricsConfigurationsResult"],
  ["metrics&id=a", 404, "NoSuchConfiguration"],
  ["notification", 200, "<NotificationConfiguration xmlns="],
  ["object-lock", 404, "ObjectLockConfigurationNotFoundError"],
  ["ownershipControls", 404, "OwnershipControlsNotFoundError"],
  ["policy", 404, "NoSuchBucketPolicy"],
  ["policyStatus", 404, "NoSuchBucketPolicy"],
  ["publicAccessBlock", 404, "NoSuchPublicAccessBlockConfiguration"],
  ["replication", 404, "ReplicationConfigurationNotFoundError"],
  ["requestPayment", 200, "<Payer>BucketOwner</Payer>"],
  ["tagging", 404, "NoSuchTagSet"],
  ["versioning", 200, "<VersioningConfiguration xmlns="],
  ["website", 404, "NoSuchWebsiteConfiguration"],
];

const ofObjects: readonly Row[] = [
  ["acl", 200, OWNER],
  ["encryption", 405, "MethodNotAllowed"],
  ["legal-hold", 400, "InvalidRequest"],
  ["retention", 400, "InvalidRequest"],
];

function names(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.map(([subresource]) => subresource.split("&")[0] as string))];
}

test("every configuration has a row in the table", () => {
  expect(names(ofBuckets)).toEqual([...bucketConfigurations.keys()]);
  expect(names(ofObjects)).toEqual([...objectConfigurations.keys()]);
});

describe("while nothing is set,", () => {
  test.each(ofBuckets)(
    "GET of a bucket's %s is answered %i as AWS answers it",
    async (name, status, content) => {
      const answer = await exchange(edge, "GET", `/bucket?${name}`);
      expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(content)]);
      expect((await exchange(edge, "GET", `/nobucket?${name}`)).body).toContain("<Code>NoSuchBucket</Code>");
    },
  );

  test.each(ofObjects)(
    "GET of an object's %s is answered %i as AWS answers it",
    async (name, status, content) => {
      const answer = await exchange(edge, "GET", `/bucket/k?${name}`);
      expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(content)]);
      expect((await exchange(edge, "GET", `/bucket/none?${name}`)).body).toContain("<Code>NoSuchKey</Code>");
    },
  );

  test.each([
    ["/bucket?cors", 204],
    ["/bucket?encryption", 204],
    ["/bucket?lifecycle", 204],
    ["/bucket?ownershipControls", 204],
    ["/bucket?policy", 204],
    ["/bucket?publicAccessBlock", 204],
    ["/bucket?replication", 204],
    ["/bucket?tagging", 204],
    ["/bucket?website", 204],
    ["/bucket/k?tagging", 204],
    ["/bucket/none?tagging", 404],
    ["/bucket/k?acl", 405],
    ["/nobucket?lifecycle", 404],
    ["/bucket?inventory&id=a", 404],
    ["/bucket?acl", 405],
    ["/bucket?versioning", 405],
    ["/bucket/k?retention", 405],
    ["/bucket?retention", 405],
    ["/bucket/k?policy", 405],
    ["/bucket/k?annotation=a", 501],
    ["/bucket?policy&cors", 400],
    ["/?acl", 405],
  ])("DELETE %s is answered %i", async (url, status) => {
    expect((await exchange(edge, "DELETE", url)).status).toBe(status);
  });
});

function grant(id: string, permission = "FULL_CONTROL"): string {
  return `<Grant><Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CanonicalUser"><ID>${id}</ID></Grantee><Permission>${permission}</Permission></Grant>`;
}

function accessList(...grants: readonly string[]): string {
  return `<AccessControlPolicy><Owner>${OWNER}</Owner><AccessControlList>${grants.join("")}</AccessControlList></AccessControlPolicy>`;
}

function publicAccess(...values: readonly boolean[]): string {
  const blocks = ["BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets"];
  const settings = values.map((value, i) => `<${blocks[i]}>${value}</${blocks[i]}>`);
  return `<PublicAccessBlockConfiguration>${settings.join("")}</PublicAccessBlockConfiguration>`;
}

function ownership(name: string): string {
  return `<OwnershipControls><Rule><ObjectOwnership>${name}</ObjectOwnership></Rule></OwnershipControls>`;
}

const encrypted = (algorithm: string, blocked = "") => {
  const rule = `<ApplyServerSideEncryptionByDefault><SSEAlgorithm>${algorithm}</SSEAlgorithm></ApplyServerSideEncryptionByDefault>`;
  const root = "ServerSideEncryptionConfiguration";
  return `<${root}><Rule>${rule}<BlockedEncryptionTypes>${blocked}</BlockedEncryptionTypes></Rule></${root}>`;
};
const NO_TAGS = "<Tagging><TagSet/></Tagging>";
const status = (root: string, value: string) => `<${root}><Status>${value}</Status></${root}>`;

describe("a write", () => {
  test.each([
    ["/bucket?acl", accessList(grant("stashlight"))],
    ["/bucket/k?acl", accessList(grant("stashlight"))],
    ["/other?versioning", status("VersioningConfiguration", "Suspended")],
    ["/other?ownershipControls", ownership("BucketOwnerEnforced")],
    ["/other?publicAccessBlock", publicAccess(true, true, true, true)],
    [
      "/bucket?requestPayment",
      "<RequestPaymentConfiguration><Payer>BucketOwner</Payer></RequestPaymentConfiguration>",
    ],
    ["/other?accelerate", status("AccelerateConfiguration", "Suspended")],
    ["/bucket?abac", status("AbacStatus", "Disabled")],
    ["/bucket?logging", '<BucketLoggingStatus xmlns="http://s3.amazonaws.com/doc/2006-03-01/" />'],
    ["/bucket?notification", "<NotificationConfiguration></NotificationConfiguration>"],
    ["/bucket?tagging", NO_TAGS],
    ["/bucket/k?legal-hold", status("LegalHold", "OFF")],
  ])("of %s that requests the current state succeeds", async (url, body) => {
    expect((await exchange(edge, "PUT", url, { body })).status).toBe(200);
  });

  test.each([
    ["versioning", status("VersioningConfiguration", "Suspended"), "<Status>Suspended</Status>", 200, null],
    ["accelerate", status("AccelerateConfiguration", "Suspended"), "<Status>Suspended</Status>", 200, null],
    [
      "ownershipControls",
      ownership("BucketOwnerEnforced"),
      "<Rule><ObjectOwnership>BucketOwnerEnforced</ObjectOwnership></Rule>",
      404,
      204,
    ],
    [
      "publicAccessBlock",
      publicAccess(true, true, true, true),
      "<BlockPublicAcls>true</BlockPublicAcls><IgnorePublicAcls>true</IgnorePublicAcls>",
      404,
      204,
    ],
  ])(
    "of %s is read back until the setting or its bucket is removed",
    async (name, body, content, unset, removed) => {
      const url = `/kept?${name}`;
      await exchange(edge, "PUT", "/kept");
      expect((await exchange(edge, "GET", url)).status).toBe(unset);
      await exchange(edge, "PUT", url, { body });
      expect((await exchange(edge, "GET", url)).body).toContain(content);
      expect((await exchange(edge, "GET", `/bucket?${name}`)).body).not.toContain(content);
      if (removed !== null) {
        expect((await exchange(edge, "DELETE", url)).status).toBe(removed);
        expect((await exchange(edge, "GET", url)).status).toBe(unset);
        await exchange(edge, "PUT", url, { body });
      }
      await exchange(edge, "DELETE", "/kept");
      await exchange(edge, "PUT", "/kept");
      expect((await exchange(edge, "GET", url)).body).not.toContain(content);
      await exchange(edge, "DELETE", "/kept");
    },
  );

  test.each([
    ["x-amz-acl", "private", 200],
    ["x-amz-grant-full-control", 'id="stashlight"', 200],
    ["x-amz-acl", "public-read", 501],
    ["x-amz-grant-full-control", 'id="stashlight", id="other"', 501],
    ["x-amz-grant-read", 'uri="http://acs.amazonaws.com/groups/global/AllUsers"', 501],
  ])("of an access list by the header %s: %s is answered %i", async (name, value, answered) => {
    for (const url of ["/bucket?acl", "/bucket/k?acl"]) {
      expect((await exchange(edge, "PUT", url, { headers: { [name]: value } })).status).toBe(answered);
    }
  });

  test.each([
    ["/bucket?acl", accessList(grant("stashlight"), grant("other", "READ")), /private to its owner/],
    ["/bucket?acl", accessList(grant("stashlight", "READ")), /private to its owner/],
    [
      "/bucket?acl",
      accessList(
        grant("stashlight</ID><URI>http://acs.amazonaws.com/groups/global/AllUsers</URI><ID>").replace(
          "<ID></ID>",
          "",
        ),
      ),
      /private to its owner/,
    ],
    ["/bucket?acl", accessList(), /private to its owner/],
    ["/bucket?acl", "", /private to its owner/],
    ["/bucket/k?acl", accessList(grant("other")), /private to its owner/],
    ["/bucket?versioning", status("VersioningConfiguration", "Enabled"), /one version of each object/],
    [
      "/bucket?versioning",
      "<VersioningConfiguration><Status>Suspended</Status><MfaDelete>Enabled</MfaDelete></VersioningConfiguration>",
      /one version of each object/,
    ],
    ["/bucket?ownershipControls", ownership("ObjectWriter"), /private to its owner/],
    [
      "/bucket?publicAccessBlock",
      publicAccess(true, true, true, false),
      /each of the four settings must be true/,
    ],
    ["/bucket?publicAccessBlock", publicAccess(), /each of the four settings must be true/],
    [
      "/bucket?requestPayment",
      "<RequestPaymentConfiguration><Payer>Requester</Payer></RequestPaymentConfiguration>",
      /owner pays/,
    ],
    ["/bucket?accelerate", status("AccelerateConfiguration", "Enabled"), /no accelerated endpoint/],
    ["/bucket?abac", status("AbacStatus", "Enabled"), /Access by tags/],
    ["/bucket?logging", "<BucketLoggingStatus><LoggingEnabled/></BucketLoggingStatus>", /Access logs/],
    [
      "/bucket?notification",
      "<NotificationConfiguration><EventBridgeConfiguration/></NotificationConfiguration>",
      /Notifications/,
    ],
    ["/bucket/k?legal-hold", status("LegalHold", "ON"), /Object lock/],
    ["/bucket/k?retention", "<Retention><Mode>GOVERNANCE</Mode></Retention>", /Object lock/],
    ["/bucket?object-lock", "<ObjectLockConfiguration/>", /Object lock/],
    ["/bucket?encryption", encrypted("aws:kms"), /key service/],
    ["/bucket?encryption", encrypted("AES256", "<EncryptionType>SSE-C</EncryptionType>"), /Blocking/],
    ["/bucket/k?encryption", "<ObjectEncryption/>", /not changed in place/],
    [
      "/bucket?lifecycle",
      "<LifecycleConfiguration><Rule><NoncurrentVersionExpiration/></Rule></LifecycleConfiguration>",
      /one version of each object/,
    ],
    [
      "/bucket?lifecycle",
      "<LifecycleConfiguration><Rule><Transition/></Rule></LifecycleConfiguration>",
      /one storage class/,
    ],
    ["/bucket?policy", '{"Statement": []}', />Bucket policies are not implemented: .*private to its owner/],
    ["/bucket?replication", "<ReplicationConfiguration/>", /Replication/],
    ["/bucket?website", "<WebsiteConfiguration/>", /Website/],
    ["/bucket?inventory&id=a", "<InventoryConfiguration/>", /Inventories/],
    ["/bucket?analytics&id=a", "<AnalyticsConfiguration/>", /Analytics/],
    ["/bucket?metrics&id=a", "<MetricsConfiguration/>", /Metrics/],
    ["/bucket?intelligent-tiering&id=a", "<IntelligentTieringConfiguration/>", /Storage tiers/],
  ])("of %s with %s is refused, and the message explains why", async (url, body, reason) => {
    const answer = await exchange(edge, "PUT", url, { body });
    expect([answer.status, answer.body]).toEqual([501, expect.stringMatching(reason)]);
  });

  const roots = [...bucketConfigurations].flatMap(([name, { write }]) =>
    write === null || write.root === null ? [] : [[name, write.root] as const],
  );

  test.each(roots)(
    "of a bucket's %s that is not XML, or whose root is not %s, is refused as malformed",
    async (name, root) => {
      const url = `/malformed?${name}`;
      await exchange(edge, "PUT", "/malformed");
      const read = async () => (await exchange(edge, "GET", url)).body.replace(/<RequestId>.*/s, "");
      const before = await read();
      const bodies = [
        `<${root}>`,
        `<${root}></Other>`,
        `<${root}/><${root}/>`,
        `<Other${root}/>`,
        `<!DOCTYPE a [<!ENTITY b "c">]><${root}>&b;</${root}>`,
        `<${root} a=b/>`,
        "{}",
        "\0",
      ];
      for (const body of bodies) {
        const answer = await exchange(edge, "PUT", url, { body });
        expect([body, answer.status, answer.body]).toEqual([
          body,
          400,
          expect.stringContaining("<Code>MalformedXML</Code>"),
        ]);
      }
      expect(await read()).toBe(before);
    },
  );

  test.each([
    ["/bucket?versioning", "<VersioningConfiguration>", 400, "MalformedXML"],
    ["/bucket?versioning", "<Other/>", 400, "MalformedXML"],
    ["/bucket?tagging", "", 400, "MalformedXML"],
    ["/bucket?lifecycle", "<LifecycleConfiguration/>", 400, "MalformedXML"],
    ["/bucket?policyStatus", "", 405, "MethodNotAllowed"],
    ["/bucket/none?acl", accessList(grant("stashlight")), 404, "NoSuchKey"],
    ["/nobucket?acl", accessList(grant("stashlight")), 404, "NoSuchBucket"],
  ])("of %s with the body %s is answered %i %s", async (url, body, answered, code) => {
    const answer = await exchange(edge, "PUT", url, { body });
    expect([answer.status, answer.body]).toEqual([answered, expect.stringContaining(`<Code>${code}</Code>`)]);
  });
});
