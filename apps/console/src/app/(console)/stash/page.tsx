import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { StashPage } from "./stash-page.tsx";

export const metadata: Metadata = { title: "Stash" };

export default async function StashRoute() {
  await requirePrincipal();
  return <StashPage />;
}
