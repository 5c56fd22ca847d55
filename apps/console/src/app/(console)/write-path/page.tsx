import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { WritePathPage } from "./write-path-page.tsx";

export const metadata: Metadata = { title: "Write path" };

export default async function WritePathRoute() {
  await requirePrincipal();
  return <WritePathPage />;
}
