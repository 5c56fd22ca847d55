/** The fields of the access key dialog, and the terms that it sends. */
import type { AccessKeyRow } from "@stashlight/contracts/access-key";
import { choice, fieldTable, parsed, type Typed, text } from "@stashlight/ui/fields";
import { permissionWords } from "./key-labels.ts";

const permissions = (["write", "read"] as const).map((value) => ({ value, label: permissionWords[value] }));
const scopes = [
  { value: "all", label: "all buckets of the owner" },
  { value: "named", label: "these buckets only" },
] as const;

/** Bucket names, one per line or separated by commas or spaces. */
const readBuckets = (typed: string) => ({ value: typed.split(/[\s,]+/).filter((bucket) => bucket !== "") });

export const keyFields = fieldTable(
  {
    name: text("Name", { help: "The purpose of the key." }),
    vault: choice<string>("Vault", [], { initial: "" }),
    owner: text("Owner", {
      help: "Buckets belong to the owner whose key created them. Keys in the vault's file belong to the owner stashlight unless the file names another.",
    }),
    permission: choice("Permission", permissions, { initial: "write" }),
    scope: choice("Buckets", scopes, { initial: "all" }),
    buckets: parsed("area", "Bucket names", readBuckets, { help: "One per line.", mono: true }),
  },
  { buckets: ({ scope }) => scope === "named" },
);
export type KeyForm = Typed<typeof keyFields.specs>;

export const emptyForm = (vaults: readonly string[]): KeyForm => ({
  ...keyFields.initial,
  vault: vaults[0] ?? "",
});

export function toKeyForm({ vault, owner, name, permission, buckets }: AccessKeyRow): KeyForm {
  const scope = buckets === null ? "all" : "named";
  return { vault, owner, name, permission, scope, buckets: buckets?.join("\n") ?? "" };
}

/** Fields shared by creating and changing a key. */
export function toKeyTerms(form: KeyForm) {
  const { name, permission, scope, buckets } = keyFields.read(form).values;
  return { name, permission, buckets: scope === "all" ? null : buckets };
}
