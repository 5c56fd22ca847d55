/**
 * Makes one line of what one cause brought about: a figure that needs attention, the alert whose rule watches it, and
 * figures whose problem only follows from it. A full vault is one line, however many rules and figures notice it.
 */
import { type AlertCause, isInhibited } from "../../../client/alerts.ts";
import type { VaultFigure } from "../charts/figure.ts";
import { watches } from "../charts/vault-state.ts";

export interface FigureLine<Figure extends VaultFigure> {
  readonly figure: Figure;
  /** The alert that fires for it. */
  readonly cause: AlertCause | null;
  /** Problems of other figures that follow from it. */
  readonly followed: readonly Figure[];
}

export interface ProblemLines<Figure extends VaultFigure> {
  readonly ofFigures: readonly FigureLine<Figure>[];
  /** Alerts without a line of a figure; those that only follow from another alert are left out. */
  readonly ofAlerts: readonly AlertCause[];
}

/** Takes figures that have a problem, and alerts that fire. */
export function joinProblems<Figure extends VaultFigure>(
  figures: readonly Figure[],
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
