import { anchorOfTerm, type GlossaryTerm, glossary, glossaryPath } from "@stashlight/contracts/glossary";
import { UiLink } from "@stashlight/ui";

interface TermProps {
  name: GlossaryTerm;
  /** The term as the sentence has it. */
  children: string;
}

/**
 * A term of the glossary: pointing at it shows the meaning, and the link leads to its place there. Pages render it on
 * the server, so that no browser has to load the glossary as a script.
 */
export function Term({ name, children }: TermProps) {
  return (
    <UiLink
      href={`${glossaryPath}#${anchorOfTerm(name)}`}
      title={glossary[name].replaceAll("`", "")}
      className="rounded-sm text-inherit underline decoration-dotted decoration-1 underline-offset-2 hover:text-ink"
    >
      {children}
    </UiLink>
  );
}
