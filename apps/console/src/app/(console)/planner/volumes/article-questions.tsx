"use client";
import { LinkButton } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import type { ReactNode } from "react";
import { articleAnswers, articleLinks, formatBurst, formatShare, formatUsd } from "./volume-answer.ts";

const { burstThen, burstNewest, gp2, io1 } = articleAnswers();

/** What the articles of 2018 to 2021 ask of EBS volumes, answered by the same model as everything below. */
export function ArticleQuestions() {
  return (
    <Section title="Two questions from the articles, answered">
      <div className="grid gap-3 md:grid-cols-2">
        <Question
          title="How long does an 8 GB gp2 volume burst, and what is left then?"
          href={articleLinks.burst}
        >
          {burstThen !== null && burstNewest !== null && (
            <>
              As the articles calculate it: <b className="font-medium text-ink">{formatBurst(burstThen)}</b>.
              With the floor of 100 IOPS that gp2 has: {formatBurst(burstNewest)}.
            </>
          )}
        </Question>
        <Question title="1 TB of gp2, or 64 GB of io1 with 3,000 IOPS?" href={articleLinks.cost}>
          {gp2?.monthlyUsd != null && io1?.monthlyUsd != null && (
            <>
              Both do 3,000 IOPS all the time:{" "}
              <b className="font-medium text-ink">
                {formatUsd(gp2.monthlyUsd)} against {formatUsd(io1.monthlyUsd)} a month
              </b>
              , so the gp2 costs {formatShare(gp2.monthlyUsd / io1.monthlyUsd)} of the io1.
            </>
          )}
        </Question>
      </div>
    </Section>
  );
}

function Question({ title, href, children }: { title: string; href: string; children: ReactNode }) {
  return (
    <article className="flex min-w-0 flex-col items-start gap-2 rounded-md border border-line bg-surface px-4 py-3">
      <h3 className="text-base font-medium text-ink">{title}</h3>
      <p className="text-pretty text-muted">{children}</p>
      <LinkButton href={href} size="sm" className="mt-auto" aria-label={`Show it below: ${title}`}>
        Show it below
      </LinkButton>
    </article>
  );
}
