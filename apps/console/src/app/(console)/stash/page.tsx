import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { Term } from "../help/term.tsx";
import { StashPage } from "./stash-page.tsx";

export const metadata: Metadata = { title: "Stash" };

export default async function StashRoute() {
  await requirePrincipal();
  return (
    <StashPage
      description={
        <>
          How much data is on the SSDs of the <Term name="Stash">stash</Term> (
          <Term name="Occupancy">occupancy</Term>), how long it stays (<Term name="Purge lag">purge lag</Term>
          ), and when they will be full.
        </>
      }
    />
  );
}
