import type { Metadata } from "next";
import { requirePrincipal } from "../../../../server/principal.ts";
import { ImportPage } from "./import-page.tsx";

export const metadata: Metadata = { title: "Import benchmarks" };

export default async function ImportRoute() {
  const { role } = await requirePrincipal();
  return <ImportPage role={role} />;
}
