import { LARGE_SIZE } from "@stashlight/node-runtime/objects";
import type { UploadHeader } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { VaultError } from "../vault/errors.ts";
import type { Vault } from "../vault/vault.ts";
import { piecesPage } from "./pieces-page.ts";

type Found = Awaited<ReturnType<Vault["get"]>>;

function found(etag: string, pieces: readonly object[] | null): Found {
  const userMetadata = pieces === null ? {} : { [LARGE_SIZE]: "1" };
  const upload = { etag, userMetadata } as unknown as UploadHeader;
  return { upload, parts: [Buffer.from(pieces === null ? "body" : JSON.stringify({ pieces }))] };
}

/** A vault that answers a head with the first content, and a later get with the second. */
function vaultOf(first: Found, second: Found = first): Pick<Vault, "head" | "get"> {
  return { head: async () => first?.upload ?? null, get: async () => second };
}

const query = new URLSearchParams({ bucket: "b", key: "k" });

test("an object in pieces is listed piece by piece, across all its parts", async () => {
  const parts = [
    { id: "x", sizeBytes: 25, pieceBytes: 10 },
    { id: "y", sizeBytes: 10, pieceBytes: 10 },
    { id: "z", sizeBytes: 0, pieceBytes: 10 },
  ];
  expect(await piecesPage(vaultOf(found("e-2", parts)), query)).toEqual({
    etag: "e-2",
    bucket: ".pieces",
    keys: ["x/00000000", "x/00000001", "x/00000002", "y/00000000"],
  });
});

test.each<[string, Found, Found, string | null]>([
  ["is one upload", found("e", null), null, "e"],
  ["does not exist", null, null, null],
  ["was overwritten meanwhile", found("e-2", []), found("f", null), "f"],
  ["was deleted meanwhile", found("e-2", []), null, null],
])("an object that %s has no pieces", async (_, first, second, etag) => {
  expect(await piecesPage(vaultOf(first, second), query)).toMatchObject({ etag, keys: [] });
});

test("a vault that cannot answer fails the request with 503", async () => {
  const head = () => Promise.reject(new VaultError("unavailable"));
  await expect(piecesPage({ ...vaultOf(null), head }, query)).rejects.toMatchObject({ status: 503 });
});

test("a request without a key is refused with 400", async () => {
  const asked = piecesPage(vaultOf(null), new URLSearchParams({ bucket: "b" }));
  await expect(asked).rejects.toMatchObject({ status: 400 });
});
