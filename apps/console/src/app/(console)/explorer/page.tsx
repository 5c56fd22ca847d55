import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { ExplorerPage } from "./explorer-page.tsx";

export const metadata: Metadata = { title: "Explorer" };

export default async function ExplorerRoute() {
  await requirePrincipal();
  return <ExplorerPage />;
}
