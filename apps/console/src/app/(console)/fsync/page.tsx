import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { Term } from "../help/term.tsx";
import { FsyncPage } from "./fsync-page.tsx";

export const metadata: Metadata = { title: "fsync" };

export default async function FsyncRoute() {
  await requirePrincipal();
  return (
    <FsyncPage
      description={
        <>
          How long drives take to make data <Term name="Durable">durable</Term> (
          <Term name="fsync">fsync</Term>), separately for SSDs and HDDs, and when they{" "}
          <Term name="Stall">stall</Term>.
        </>
      }
    />
  );
}
