import type { Metadata } from "next";
import { RulePage } from "./rule-page.tsx";

export const metadata: Metadata = { title: "Alert rule" };

export default async function RuleRoute({ params }: { params: Promise<{ ruleId: string }> }) {
  const { ruleId } = await params;
  return <RulePage ruleId={ruleId} />;
}
