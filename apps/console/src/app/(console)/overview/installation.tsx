"use client";
import { type HealthCheck, headlineFigures, type SystemHealth } from "@stashlight/contracts/health";
import { useNow } from "@stashlight/ui";
import { Tile, TileGrid, Time } from "@stashlight/ui/data";
import { Section } from "@stashlight/ui/layout";
import { formatFigure } from "../../../client/health-checks.ts";

/** Three times the polling interval. */
const staleAfterMs = 30_000;

/** Status of each health check. */
export function Installation({ health, updatedAtMs }: { health: SystemHealth; updatedAtMs: number }) {
  const nowMs = useNow(1_000) ?? updatedAtMs;
  const stale = nowMs - updatedAtMs > staleAfterMs;
  return (
    <Section title="Installation">
      <TileGrid>
        {health.checks.map((check) => (
          <CheckTile key={check.id} check={check} stale={stale} />
        ))}
      </TileGrid>
    </Section>
  );
}

/** Describes the headline figure of each check. */
const headlines: Record<HealthCheck["id"], { statistic: string; source: string; href: string }> = {
  database: { statistic: "one query", source: "this console", href: "/health" },
  migrations: { statistic: "migrations", source: "database", href: "/health" },
  worker: { statistic: "last heartbeat", source: "worker", href: "/health" },
  jobs: { statistic: "runs succeeded, last 24 h", source: "worker", href: "/jobs" },
  disk: { statistic: "free on the data folder's disk", source: "this console", href: "/health" },
  supervision: { statistic: "processes supervised", source: "npm start", href: "/health" },
  audit: { statistic: "events since the start", source: "database", href: "/health" },
};

function CheckTile({ check, stale }: { check: HealthCheck; stale: boolean }) {
  const headline = headlines[check.id];
  const figure = check.figures.find(({ name }) => name === headlineFigures[check.id]);
  const read = figure === undefined ? null : formatFigure(figure);
  // The audit log has no figure before its first check; the sentence then names the check that it waits for.
  const isUnknown = check.state === "unknown";
  const shown = isUnknown ? null : read;
  return (
    <Tile
      title={check.title}
      value={shown?.value ?? null}
      {...(shown?.unit ? { unit: shown.unit } : {})}
      missing={check.sentence}
      statistic={isUnknown && read !== null ? `${read.value} ${headline.statistic}` : headline.statistic}
      source={headline.source}
      age={<Time value={check.checkedAt} show="age" />}
      status={check.state}
      stale={stale}
      href={headline.href}
    />
  );
}
