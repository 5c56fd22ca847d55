/** An endpoint as the fields of a form, and back. */
import type { EndpointAddressing, EndpointKind, EndpointRow, PriceList } from "@stashlight/contracts";
import { kindPresets, listPricesOf } from "./presets.ts";

export const priceFields = [
  "perThousandPuts",
  "perThousandGets",
  "perGbEgress",
  "perGbMonth",
  "minimumStorageDays",
] as const;
export type PriceField = (typeof priceFields)[number];

export interface EndpointForm extends Record<PriceField | "asOf", string> {
  name: string;
  kind: EndpointKind;
  region: string;
  url: string;
  bucket: string;
  prefix: string;
  addressing: EndpointAddressing;
  caPem: string;
  accessKeyId: string;
  secretAccessKey: string;
  hasPrices: boolean;
}

const noPrices = {
  hasPrices: false,
  perThousandPuts: "0",
  perThousandGets: "0",
  perGbEgress: "0",
  perGbMonth: "0",
  minimumStorageDays: "0",
  asOf: "",
};

const firstRegion = "us-west-004";

export const emptyForm: EndpointForm = withKind(
  {
    name: "",
    kind: "b2",
    region: "",
    url: "",
    bucket: "",
    prefix: "",
    addressing: "path",
    caPem: "",
    accessKeyId: "",
    secretAccessKey: "",
    ...noPrices,
  },
  "b2",
  firstRegion,
);

function pricesOf(prices: PriceList | null): Pick<EndpointForm, PriceField | "asOf" | "hasPrices"> {
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

/** With all that the kind and its region say by themselves. */
export function withKind(form: EndpointForm, kind: EndpointKind, chosen?: string): EndpointForm {
  const { addressing, regions, urlOf } = kindPresets[kind];
  const region = chosen ?? regions[0] ?? "";
  const url = urlOf?.(region) ?? "";
  return { ...form, kind, addressing, region, url, ...pricesOf(listPricesOf(kind, region)) };
}

/** An address that was typed by hand stays, and so do prices of a region whose own are not known. */
export function withRegion(form: EndpointForm, region: string): EndpointForm {
  const { urlOf } = kindPresets[form.kind];
  const isDerived = urlOf !== null && (form.url === "" || form.url === urlOf(form.region));
  const prices = listPricesOf(form.kind, region.trim());
  return {
    ...form,
    region,
    url: isDerived ? urlOf(region.trim()) : form.url,
    ...(prices === null ? {} : pricesOf(prices)),
  };
}

export function formOf(endpoint: EndpointRow): EndpointForm {
  const { name, kind, region, url, bucket, prefix, addressing, caPem, priceList } = endpoint;
  return {
    ...emptyForm,
    ...{ name, kind, region, url, bucket, prefix, addressing, caPem },
    ...pricesOf(priceList),
  };
}

/** An empty field is no price of zero. */
const numberOf = (text: string) => (text.trim() === "" ? Number.NaN : Number(text.replace(",", ".")));

function priceListOf(form: EndpointForm): PriceList | null {
  if (!form.hasPrices) return null;
  return {
    perThousandPuts: numberOf(form.perThousandPuts),
    perThousandGets: numberOf(form.perThousandGets),
    perGbEgress: numberOf(form.perGbEgress),
    perGbMonth: numberOf(form.perGbMonth),
    minimumStorageDays: numberOf(form.minimumStorageDays),
    asOf: form.asOf,
  };
}

/** What the server takes, which checks all of it. */
export function endpointOf(form: EndpointForm) {
  const { name, kind, region, url, bucket, prefix, addressing, caPem } = form;
  return {
    name: name.trim(),
    kind,
    url: url.trim().replace(/\/+$/, ""),
    region: region.trim(),
    bucket: bucket.trim(),
    prefix: prefix.trim(),
    addressing,
    caPem: caPem.trim(),
    priceList: priceListOf(form),
  };
}

export const credentialsOf = ({ accessKeyId, secretAccessKey }: CredentialsForm) => ({
  accessKeyId: accessKeyId.trim(),
  secretAccessKey: secretAccessKey.trim(),
});
export type CredentialsForm = Pick<EndpointForm, "accessKeyId" | "secretAccessKey">;
