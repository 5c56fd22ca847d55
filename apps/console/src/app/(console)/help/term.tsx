import { anchorOfTerm, type GlossaryTerm, glossary, glossaryPath } from "@stashlight/contracts/glossary";
import { UiLink } from "@stashlight/ui";
import { Tip } from "@stashlight/ui/tip";

interface TermProps {
  name: GlossaryTerm;
  /** The term as the sentence has it. */
  children: string;
}

/**
 * A term of the glossary, which opens its meaning and a link to its place there. Pages render it on the server, so that
 * no browser has to load the glossary as a script.
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
