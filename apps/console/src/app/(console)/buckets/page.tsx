import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { BucketsPage } from "./buckets-page.tsx";

export const metadata: Metadata = { title: "Buckets" };

export default async function BucketsRoute() {
  const { role } = await requirePrincipal();
  return <BucketsPage role={role} />;
}
