import { anchorOfTerm, type GlossaryTerm, glossary } from "@stashlight/contracts/glossary";
import { Page, PageHeader } from "@stashlight/ui/layout";
import type { Metadata } from "next";

export const metadata: Metadata = { title: "Glossary" };

const terms = Object.keys(glossary) as GlossaryTerm[];

/** Rendered on the server only, so that it costs the browser no script. */
export default function GlossaryRoute() {
  return (
    <Page>
      <PageHeader
        title="Glossary"
        description="The terms of the console. Underlined words on other pages link here."
      />
      <dl className="max-w-[88ch] divide-y divide-line rounded-md border border-line bg-surface">
        {terms.map((term) => (
          <div
            key={term}
            id={anchorOfTerm(term)}
            className="grid scroll-mt-4 gap-x-6 px-4 py-2 target:bg-accent-soft sm:grid-cols-[11rem_1fr]"
          >
            <dt className="font-medium text-ink">{term}</dt>
            <dd className="text-pretty text-muted">
              <Meaning of={term} />
            </dd>
          </div>
        ))}
      </dl>
    </Page>
  );
}

/** Splits at backticks, so that odd parts are code. */
function Meaning({ of: term }: { of: GlossaryTerm }) {
  return glossary[term].split("`").map((part, i) =>
    i % 2 === 0 ? (
      part
    ) : (
      <code key={part} className="font-mono text-sm">
        {part}
      </code>
    ),
  );
}
