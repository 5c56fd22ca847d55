"use client";
import type { LiveInputs } from "@stashlight/contracts/planner";
import {
  checkStashPlanInput,
  explainPlan,
  type InputProblem,
  type StashAnswer,
  type StashPlanInput,
} from "@stashlight/planner";
import { useMemo, useState } from "react";
import { type Draft, toCandidate, toDraft, withTexts } from "./draft.ts";
import { fillFromFleet, liveOffers, toDraftObjects } from "./live.ts";
import { findPlanBasis, type PlanBasis } from "./load-source.ts";

export interface PlanState {
  readonly draft: Draft;
  readonly problems: readonly InputProblem[];
  /** The newest valid input and its answer; older than the form while the form has errors. */
  readonly input: StashPlanInput;
  readonly answer: StashAnswer;
  readonly isCurrent: boolean;
  /** Fields that hold the fleet's value. */
  readonly fromFleet: ReadonlySet<string>;
  /** Time for which the fleet's load had been measured when it was taken; null for a load of the plan's own. */
  readonly loadMeasuredSeconds: number | null;
  readonly basis: PlanBasis;
  /** Typing a value disconnects it from the fleet. */
  readonly type: (path: string, text: string) => void;
  readonly setMix: (objects: Draft["objects"]) => void;
  /** Fills in values read from a log; null sizes leave the form's sizes unchanged. */
  readonly setLoad: (texts: Readonly<Record<string, string>>, objects: Draft["objects"] | null) => void;
  readonly setInstalled: (hasInstalled: boolean) => void;
  readonly setTexts: (texts: Readonly<Record<string, string>>) => void;
  readonly takeOne: (path: string, live: LiveInputs) => void;
  readonly override: (path: string) => void;
  readonly takeAll: (live: LiveInputs) => void;
}

interface Form {
  readonly draft: Draft;
  readonly fromFleet: ReadonlySet<string>;
  readonly loadMeasuredSeconds: number | null;
}

const LOAD = "uploadsPerSecond";
const noFields: ReadonlySet<string> = new Set();
const without = (paths: ReadonlySet<string>, path: string): ReadonlySet<string> =>
  new Set([...paths].filter((each) => each !== path));

/** A load that the user enters was not measured. */
const enterDraft = (form: Form, draft: Draft, fromFleet: ReadonlySet<string>): Form => ({
  draft,
  fromFleet,
  loadMeasuredSeconds: draft.texts[LOAD] === form.draft.texts[LOAD] ? form.loadMeasuredSeconds : null,
});

const measuredLoad = ({ uploadsPerSecond }: LiveInputs): number | null =>
  uploadsPerSecond.figure?.measuredSeconds ?? null;

/** Begins with a plan, whose load had been measured for this time if it was the fleet's. */
export function usePlan(initial: StashPlanInput, loadMeasuredAtFirst: number | null): PlanState {
  const [{ draft, fromFleet, loadMeasuredSeconds }, setForm] = useState<Form>(() => ({
    draft: toDraft(initial),
    fromFleet: noFields,
    loadMeasuredSeconds: loadMeasuredAtFirst,
  }));
  const checked = useMemo(() => checkStashPlanInput(toCandidate(draft)), [draft]);
  const [input, setInput] = useState(initial);
  if (checked.input !== null && checked.input !== input) setInput(checked.input);
  const answer = useMemo(() => explainPlan(input), [input]);
  const basis = useMemo(
    () => findPlanBasis(fromFleet, loadMeasuredSeconds),
    [fromFleet, loadMeasuredSeconds],
  );
  const change = (path: string, next: (draft: Draft) => Draft) =>
    setForm((form) => enterDraft(form, next(form.draft), without(form.fromFleet, path)));
  return {
    draft,
    problems: checked.problems,
    input,
    answer,
    isCurrent: checked.input !== null,
    fromFleet,
    loadMeasuredSeconds,
    basis,
    type: (path, text) => change(path, (each) => withTexts(each, { [path]: text })),
    setMix: (objects) => change("objects", (each) => ({ ...each, objects })),
    setLoad: (texts, objects) =>
      setForm((form) =>
        enterDraft(
          form,
          { ...withTexts(form.draft, texts), objects: objects ?? form.draft.objects },
          new Set(
            [...form.fromFleet].filter(
              (path) => texts[path] === undefined && !(path === "objects" && objects !== null),
            ),
          ),
        ),
      ),
    setInstalled: (hasInstalled) => setForm((form) => ({ ...form, draft: { ...form.draft, hasInstalled } })),
    setTexts: (texts) =>
      setForm((form) =>
        enterDraft(
          form,
          withTexts(form.draft, texts),
          new Set([...form.fromFleet].filter((path) => texts[path] === undefined)),
        ),
      ),
    takeOne: (path, live) =>
      setForm((form) => ({
        draft: takenFrom(form.draft, path, live),
        fromFleet: new Set([...form.fromFleet, path]),
        loadMeasuredSeconds: path === LOAD ? measuredLoad(live) : form.loadMeasuredSeconds,
      })),
    override: (path) => setForm((form) => ({ ...form, fromFleet: without(form.fromFleet, path) })),
    takeAll: (live) =>
      setForm((form) => {
        const filled = fillFromFleet(form.draft, live);
        return {
          draft: filled.draft,
          fromFleet: new Set(filled.paths),
          loadMeasuredSeconds: filled.paths.includes(LOAD) ? measuredLoad(live) : form.loadMeasuredSeconds,
        };
      }),
  };
}

function takenFrom(draft: Draft, path: string, live: LiveInputs): Draft {
  if (path === "objects" && live.objects.figure !== null) {
    return { ...draft, objects: toDraftObjects(live.objects.figure) };
  }
  const offer = liveOffers(live)[path];
  return offer?.kind === "figure" ? withTexts(draft, { [path]: offer.text }) : draft;
}
