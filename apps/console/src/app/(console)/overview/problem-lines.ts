/**
 * Combines the effects of one cause into one line: a figure that needs attention, the alert that
 * watches it, and the figures whose problems follow from it. A full vault is one line, even if
 * several rules and figures report it.
 */
import { type AlertCause, isInhibited } from "../../../client/alerts.ts";
import type { VaultFigure } from "../charts/figure.ts";
import { watches } from "../charts/vault-state.ts";

export interface FigureLine<Figure extends VaultFigure> {
  readonly figure: Figure;
  /** Alert that fires for the figure. */
  readonly cause: AlertCause | null;
  /** Figures whose problems follow from this one. */
  readonly followed: readonly Figure[];
}

export interface ProblemLines<Figure extends VaultFigure> {
  readonly ofFigures: readonly FigureLine<Figure>[];
  /** Alerts that belong to no figure; leaves out those inhibited by another alert. */
  readonly ofAlerts: readonly AlertCause[];
}

/** Figures that are the newest value, as the values of their alerts are; others cover the page's time range. */
const CURRENT_FIGURES: ReadonlySet<string> = new Set(["vault-full", "occupancy"]);

/**
 * Takes figures with a problem, and firing alerts. Leaves out a current figure whose alerts have all since found a
 * value within the limit, because it is outdated.
 */
export function joinProblems<Figure extends VaultFigure>(
  found: readonly Figure[],
  causes: readonly AlertCause[],
): ProblemLines<Figure> {
  const isAlike = (a: Figure, b: Figure) => a.vault === b.vault;
  const findCause = (figure: Figure) =>
    figures.find((each) => each.id === figure.followsFrom && isAlike(each, figure));
  const watched = (figure: Figure) =>
    causes.filter(
      ({ alerts }) =>
        figure.vault !== undefined &&
        alerts.some((alert) => alert.status === "firing" && watches(alert, figure.id, figure.vault ?? "")),
    );
  const isOutdated = (figure: Figure) => {
    const own = CURRENT_FIGURES.has(figure.id) ? watched(figure) : [];
    return own.length > 0 && own.every(({ alerts }) => alerts[0].incidentEnd !== null);
  };
  const figures = found.filter((figure) => !isOutdated(figure));
  const lines = figures
    .filter((figure) => findCause(figure) === undefined)
    .map((figure): FigureLine<Figure> => {
      const own = watched(figure);
      return {
        figure,
        cause: own.find((cause) => !isInhibited(cause)) ?? own[0] ?? null,
        followed: figures.filter((each) => findCause(each) === figure),
      };
    });
  const told = new Set(lines.flatMap(({ figure }) => watched(figure)));
  return {
    ofFigures: lines,
    ofAlerts: causes.filter((cause) => !told.has(cause) && !isInhibited(cause)),
  };
}
