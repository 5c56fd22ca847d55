/** Fields of the endpoint dialog, and conversion from and to an endpoint. */
import { type EndpointRow, type PriceList, type StoreKind, storeKinds } from "@stashlight/contracts/endpoint";
import { area, choice, fieldTable, flag, number, secret, type Typed, text } from "@stashlight/ui/fields";
import { kindWords } from "./kind-words.ts";
import { kindPresets, presetPrices } from "./presets.ts";

const kinds = storeKinds.map((value) => ({
  value,
  label: kindWords[value],
}));
const addressings = [
  { value: "path", label: "Path: host/bucket/key" },
  { value: "host", label: "Host: bucket.host/key" },
] as const;

const code = { mono: true, spellCheck: false };
/** A decimal comma counts as a decimal point, and an empty field is not a price of zero. */
const price = (label: string, unit: string, name: string, initial = "") =>
  number(label, {
    unit,
    initial,
    path: `priceList.${name}`,
    comma: "decimal",
    problem: "Enter a number, such as 0.006.",
  });

const credentialSpecs = {
  accessKeyId: text("Access key ID", { ...code, path: "credentials.accessKeyId" }),
  secretAccessKey: secret("Secret access key", {
    path: "credentials.secretAccessKey",
    help: "Stored encrypted and never shown again.",
  }),
};
export const credentialFields = fieldTable(credentialSpecs);
export type CredentialsForm = Typed<typeof credentialSpecs>;

const priceSpecs = {
  perThousandPuts: price("1,000 PUTs", "$", "perThousandPuts"),
  perThousandGets: price("1,000 GETs", "$", "perThousandGets"),
  perGbEgress: price("GB of egress", "$", "perGbEgress"),
  perGbMonth: price("GB stored per month", "$", "perGbMonth"),
  minimumStorageDays: price("Minimum storage", "days", "minimumStorageDays", "0"),
  asOf: text("Date of the prices", { path: "priceList.asOf", placeholder: "2026-01-31" }),
};
export const priceFields = Object.keys(priceSpecs) as (keyof typeof priceSpecs)[];

const hasPrices = (form: { hasPrices: boolean }) => form.hasPrices;

export const endpointFields = fieldTable(
  {
    name: text("Name"),
    kind: choice("Kind", kinds, { initial: "b2" }),
    region: text("Region", { mono: true, help: "As the provider names it." }),
    url: text("Address", { ...code, help: "Protocol, host and port, without the bucket." }),
    bucket: text("Bucket", { ...code, help: "It must already exist." }),
    prefix: text("Prefix", { ...code, optional: true, help: "Every key written begins with it." }),
    addressing: choice("Addressing", addressings, { initial: "path" }),
    ...credentialSpecs,
    hasPrices: flag("Price list", {
      path: "priceList",
      help: "Costs and budgets of schedules use it. The figures filled in are list prices of the date given; check them.",
    }),
    ...priceSpecs,
    caPem: area("Certificate authorities", {
      mono: true,
      rows: 3,
      spellCheck: false,
      placeholder: "-----BEGIN CERTIFICATE-----",
      optional: true,
      help: "In PEM form, if no public authority signed the endpoint's certificate.",
    }),
  },
  Object.fromEntries(priceFields.map((name) => [name, hasPrices])),
);
export type EndpointForm = Typed<typeof endpointFields.specs>;

const noPrices = { hasPrices: false, ...fieldTable(priceSpecs).initial };

const firstRegion = "us-west-004";

export const emptyForm: EndpointForm = withKind(endpointFields.initial, "b2", firstRegion);

function toPriceFields(prices: PriceList | null): Pick<EndpointForm, keyof typeof noPrices> {
  if (prices === null) return noPrices;
  return {
    hasPrices: true,
    perThousandPuts: String(prices.perThousandPuts),
    perThousandGets: String(prices.perThousandGets),
    perGbEgress: String(prices.perGbEgress),
    perGbMonth: String(prices.perGbMonth),
    minimumStorageDays: String(prices.minimumStorageDays),
    asOf: prices.asOf,
  };
}

/** Fills in everything that the kind and its region imply. */
export function withKind(form: EndpointForm, kind: StoreKind, chosen?: string): EndpointForm {
  const { addressing, regions, urlOf } = kindPresets[kind];
  const region = chosen ?? regions[0] ?? "";
  const url = urlOf?.(region) ?? "";
  return { ...form, kind, addressing, region, url, ...toPriceFields(presetPrices(kind, region)) };
}

/** Keeps a typed address, and keeps the prices if those of the region are unknown. */
export function withRegion(form: EndpointForm, region: string): EndpointForm {
  const { urlOf } = kindPresets[form.kind];
  const isDerived = urlOf !== null && (form.url === "" || form.url === urlOf(form.region));
  const prices = presetPrices(form.kind, region.trim());
  return {
    ...form,
    region,
    url: isDerived ? urlOf(region.trim()) : form.url,
    ...(prices === null ? {} : toPriceFields(prices)),
  };
}

export function toEndpointForm(endpoint: EndpointRow): EndpointForm {
  const { name, kind, region, url, bucket, prefix, addressing, caPem, priceList } = endpoint;
  return {
    ...emptyForm,
    name,
    kind,
    region,
    url,
    bucket,
    prefix,
    addressing,
    caPem,
    ...toPriceFields(priceList),
  };
}

/** A copy of `endpoint` for another bucket of the store, with the same key id and an empty name. */
export function formLike(endpoint: EndpointRow): EndpointForm {
  const { accessKeyId } = endpoint;
  return { ...toEndpointForm(endpoint), name: "", bucket: "", accessKeyId: accessKeyId ?? "" };
}

/** Fields of the Advanced section, which starts collapsed. */
export const advancedFields: readonly string[] = [
  "prefix",
  "addressing",
  "hasPrices",
  ...priceFields,
  "caPem",
];

/** Builds the server's input, which the server validates. */
export function toEndpointInput(form: EndpointForm) {
  const { values } = endpointFields.read(form);
  const { name, kind, region, url, bucket, prefix, addressing, caPem } = values;
  const { perThousandPuts, perThousandGets, perGbEgress, perGbMonth, minimumStorageDays, asOf } = values;
  const prices = { perThousandPuts, perThousandGets, perGbEgress, perGbMonth, minimumStorageDays, asOf };
  return {
    name,
    kind,
    region,
    bucket,
    prefix,
    addressing,
    caPem,
    url: url.replace(/\/+$/, ""),
    priceList: values.hasPrices ? prices : null,
  };
}

export const toCredentials = ({ accessKeyId, secretAccessKey }: CredentialsForm) => ({
  accessKeyId: accessKeyId.trim(),
  secretAccessKey: secretAccessKey.trim(),
});
