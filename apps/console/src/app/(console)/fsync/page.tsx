import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { FsyncPage } from "./fsync-page.tsx";

export const metadata: Metadata = { title: "fsync" };

export default async function FsyncRoute() {
  await requirePrincipal();
  return <FsyncPage />;
}
