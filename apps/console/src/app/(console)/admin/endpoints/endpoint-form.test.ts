import { createEndpointInput, type EndpointRow, updateEndpointInput } from "@stashlight/contracts/endpoint";
import { expect, test } from "vitest";
import {
  emptyForm,
  toCredentials,
  toEndpointForm,
  toEndpointInput,
  withKind,
  withRegion,
} from "./endpoint-form.ts";

const filled = {
  ...emptyForm,
  name: "B2",
  bucket: "benchmarks",
  accessKeyId: " 0041 ",
  secretAccessKey: "K004 ".trim(),
};

test("kind and region imply the address, the addressing and the dated list prices", () => {
  const s3 = withKind(filled, "s3");
  expect(s3).toMatchObject({
    region: "us-east-1",
    url: "https://s3.us-east-1.amazonaws.com",
    addressing: "host",
    perThousandPuts: "0.005",
    asOf: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  expect(withRegion(s3, "eu-central-1")).toMatchObject({
    url: "https://s3.eu-central-1.amazonaws.com",
    perGbMonth: "0.0245",
  });
  expect(withKind(s3, "b2", "eu-central-003")).toMatchObject({
    url: "https://s3.eu-central-003.backblazeb2.com",
    addressing: "path",
    perThousandPuts: "0",
  });
  expect(withKind(s3, "wasabi")).toMatchObject({
    url: "https://s3.us-east-1.wasabisys.com",
    addressing: "path",
    hasPrices: false,
  });
  for (const kind of ["r2", "s3-compatible"] as const)
    expect(withKind(s3, kind)).toMatchObject({ url: "", hasPrices: false });
});

test("the form fills in Google's address, leaves Azure's empty, and has list prices for neither", () => {
  expect(withKind(filled, "gcs")).toMatchObject({
    url: "https://storage.googleapis.com",
    region: "us-east1",
    addressing: "path",
    hasPrices: false,
  });
  expect(withKind(filled, "azure-blob")).toMatchObject({
    url: "",
    region: "eastus",
    addressing: "host",
    hasPrices: false,
  });
});

test("a service account's key file suffices, without an id", () => {
  const file = { client_email: "bench@project.iam.gserviceaccount.com", private_key: "PRIVATE KEY" };
  const google = { ...withKind(filled, "gcs"), accessKeyId: "", secretAccessKey: JSON.stringify(file) };
  const input = { ...toEndpointInput(google), credentials: toCredentials(google) };
  expect(createEndpointInput.parse(input).credentials.accessKeyId).toBe(file.client_email);
});

test("a typed address is kept when the region changes", () => {
  const typed = { ...withKind(filled, "s3"), url: "https://proxy.example.org" };
  expect(withRegion(typed, "us-west-2").url).toBe("https://proxy.example.org");
});

test("an endpoint survives a round trip through the form, without its key", () => {
  const row = {
    ...createEndpointInput.parse({ ...toEndpointInput(filled), credentials: toCredentials(filled) }),
    id: crypto.randomUUID(),
  } as unknown as EndpointRow;
  const { prefix, caPem, ...rest } = toEndpointInput(toEndpointForm(row));
  expect({ prefix, caPem }).toEqual({ prefix: "", caPem: "" });
  expect(row).toMatchObject(rest);
  expect(toEndpointForm(row)).toMatchObject({ accessKeyId: "", secretAccessKey: "" });
});

test.each([
  [{ perGbEgress: "" }, "priceList.perGbEgress"],
  [{ perThousandPuts: "cheap" }, "priceList.perThousandPuts"],
  [{ asOf: "" }, "priceList.asOf"],
  [{ url: "ftp://example.org" }, "url"],
  [{ bucket: "No" }, "bucket"],
  [{ caPem: "a certificate" }, "caPem"],
])("the form refuses the input %o and names its field", (changes, field) => {
  const input = { endpointId: crypto.randomUUID(), ...toEndpointInput({ ...filled, ...changes }) };
  expect(updateEndpointInput.safeParse(input).error?.issues[0]?.path.join(".")).toBe(field);
});

test("a decimal comma is read as a decimal point", () => {
  expect(toEndpointInput({ ...filled, perGbMonth: "0,006" }).priceList?.perGbMonth).toBe(0.006);
});
