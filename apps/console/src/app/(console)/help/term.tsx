import { anchorOfTerm, type GlossaryTerm, glossary, glossaryPath } from "@stashlight/contracts/glossary";
import { UiLink } from "@stashlight/ui";
import { Tip } from "@stashlight/ui/tip";

interface TermProps {
  name: GlossaryTerm;
  /** The term as written in the sentence. */
  children: string;
}

/**
 * A glossary term that opens its explanation, with a link to the term's entry. Rendered on the server, so that browsers do not
 * load the glossary.
 */
export function Term({ name, children }: TermProps) {
  return (
    <Tip label={children} title={name}>
      <p className="text-pretty text-muted">{glossary[name].replaceAll("`", "")}</p>
      <UiLink href={`${glossaryPath}#${anchorOfTerm(name)}`} className="w-fit underline">
        Glossary
      </UiLink>
    </Tip>
  );
}
