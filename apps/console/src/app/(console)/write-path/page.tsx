import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { Term } from "../help/term.tsx";
import { WritePathPage } from "./write-path-page.tsx";

export const metadata: Metadata = { title: "Write path" };

export default async function WritePathRoute() {
  await requirePrincipal();
  return (
    <WritePathPage
      description={
        <>
          From a client’s bytes to its <Term name="Acknowledgement">acknowledgement</Term>: encoding,{" "}
          <Term name="Pod">pods</Term> and <Term name="Stash">stash</Term> side by side, and the moment of the{" "}
          <Term name="Quorum">quorum</Term>.
        </>
      }
    />
  );
}
