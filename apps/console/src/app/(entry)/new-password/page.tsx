import type { Metadata } from "next";
import { NewPasswordPage } from "./new-password-page.tsx";

export const metadata: Metadata = { title: "New password" };

export default function Page() {
  return <NewPasswordPage />;
}
