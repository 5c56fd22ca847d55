import type { Metadata } from "next";
import { JoinPage } from "./join-page.tsx";

export const metadata: Metadata = { title: "Join" };

export default function Page() {
  return <JoinPage />;
}
