/**
 * Keeps answers about times that end now for as long as they are worth what they cost, and makes those that somebody
 * looked at lately anew before they are asked for again:
 *
 *     asked          answered from what stands         asked
 *       |------ it took 120 ms, so it stands for 6 s ------|
 *                              |-- made anew, ahead
 *
 * Pages of a thousand nodes ask the same dozen questions every few seconds, for each person who looks. An answer that
 * took a few milliseconds stands for a few tenths of a second, so a small installation shows each window as it comes.
 * Every answer says where its own samples end, so the figures of an older one show their true age.
 */

import type {
  MetricAnswer,
  MetricHeatmap,
  MetricHeatmapQuery,
  MetricQuery,
} from "@stashlight/contracts/metrics/query";
import type { Stalls, StallsQuery } from "@stashlight/contracts/metrics/stall";
import { MINUTE_MS, SECOND_MS } from "@stashlight/contracts/time/duration";
import type { TimeRange } from "@stashlight/contracts/time/range";
import { requireRole, type Verb } from "../../context.ts";
import { answerHeatmap } from "./heatmap.ts";
import type { WithMerger } from "./merger.ts";
import { answerMetric } from "./query.ts";
import { answerStalls } from "./stalls.ts";

/** An answer stands for so many times what it took, so a question takes a fiftieth of the time at most. */
const STANDS_FACTOR = 50;
/** It stands for a 360th of its range at most: ten seconds of an hour. */
const STANDS_SHARE_MAX = 1 / 360;
const STANDS_MS_MIN = 5 * SECOND_MS;
const STANDS_MS_MAX = MINUTE_MS;
/** An answer about a time that ended this long ago is asked for, not kept. */
const LIVE_WITHIN_MS = 5 * SECOND_MS;
/** Page times are whole multiples of this. */
const PACE_MS = 5 * SECOND_MS;

/** Quicker answers are not made ahead: nobody notices them. */
const AHEAD_TOOK_MS_MIN = 20;
/** Answers that nobody asked for in this time are not made ahead any more. */
const AHEAD_WITHIN_MS = 5 * MINUTE_MS;
/** After making one ahead the process rests for so many times as long: it does this a quarter of its time at most. */
const AHEAD_REST_FACTOR = 3;
const AHEAD_EVERY_MS = 250;

const KEPT_COUNT_MAX = 200;

/** All answers that a process makes ahead are made one after the other, with rests in between. */
export class AheadPace {
  isMaking = false;
  restsUntilMs = 0;
}

interface Standing<Input, Answer> {
  readonly input: Input;
  readonly madeAtMs: number;
  readonly answer: Promise<Answer>;
  /** Null while it is under way. */
  tookMs: number | null;
  askedAtMs: number;
}

export class StandingAnswers<Input extends TimeRange, Answer> {
  readonly #make: (input: Input) => Promise<Answer>;
  readonly #nowMs: () => number;
  readonly #pace: AheadPace;
  readonly #standing = new Map<string, Standing<Input, Answer>>();
  #aheadTimer: NodeJS.Timeout | null = null;

  constructor(make: (input: Input) => Promise<Answer>, nowMs: () => number, pace: AheadPace) {
    this.#make = make;
    this.#nowMs = nowMs;
    this.#pace = pace;
  }

  /** Returns the answer that stands, or makes a new one. Rejects as `make` does; a failure is not kept. */
  answer(input: Input): Promise<Answer> {
    const nowMs = this.#nowMs();
    if (input.toMs < nowMs - LIVE_WITHIN_MS) return this.#make(input);
    const key = keyOf(input);
    const found = this.#standing.get(key);
    if (found === undefined || !stands(found, nowMs) || movedMs(found.input, input) > standsMsMax(input)) {
      return this.#answerAnew(key, input, nowMs);
    }
    found.askedAtMs = nowMs;
    return found.answer;
  }

  /** Makes anew the answer that is over first, if half of its time has passed and this process has rested. */
  async makeAhead(): Promise<void> {
    const startedMs = this.#nowMs();
    if (this.#pace.isMaking || startedMs < this.#pace.restsUntilMs) return;
    this.#forgetUnasked(startedMs);
    const due = [...this.#standing].filter(([, each]) => isDueAhead(each, startedMs));
    const first = due.sort(([, a], [, b]) => overAtMs(a) - overAtMs(b))[0];
    if (first === undefined) return;
    const [key, old] = first;
    const input = movedOn(old.input, startedMs);
    this.#pace.isMaking = true;
    try {
      const answer = await this.#make(input);
      const tookMs = this.#nowMs() - startedMs;
      const { askedAtMs } = this.#standing.get(key) ?? old;
      this.#standing.set(key, {
        input,
        madeAtMs: startedMs,
        answer: Promise.resolve(answer),
        tookMs,
        askedAtMs,
      });
    } catch {
      // Whoever asks next asks anew, and is told why it fails.
      this.#standing.delete(key);
    } finally {
      this.#pace.isMaking = false;
      const endedMs = this.#nowMs();
      this.#pace.restsUntilMs = endedMs + AHEAD_REST_FACTOR * (endedMs - startedMs);
    }
  }

  close(): void {
    if (this.#aheadTimer !== null) clearInterval(this.#aheadTimer);
    this.#aheadTimer = null;
    this.#standing.clear();
  }

  #answerAnew(key: string, input: Input, nowMs: number): Promise<Answer> {
    const answer = this.#make(input);
    const made: Standing<Input, Answer> = { input, madeAtMs: nowMs, answer, tookMs: null, askedAtMs: nowMs };
    this.#standing.set(key, made);
    answer.then(
      () => {
        made.tookMs = this.#nowMs() - nowMs;
      },
      () => {
        if (this.#standing.get(key) === made) this.#standing.delete(key);
      },
    );
    if (this.#standing.size > KEPT_COUNT_MAX) this.#forgetLeastAsked();
    this.#aheadTimer ??= setInterval(() => void this.makeAhead(), AHEAD_EVERY_MS).unref();
    return answer;
  }

  #forgetUnasked(nowMs: number): void {
    for (const [key, { askedAtMs }] of this.#standing) {
      if (askedAtMs < nowMs - AHEAD_WITHIN_MS) this.#standing.delete(key);
    }
  }

  #forgetLeastAsked(): void {
    const [least] = [...this.#standing].sort(([, a], [, b]) => a.askedAtMs - b.askedAtMs);
    if (least !== undefined) this.#standing.delete(least[0]);
  }
}

/** A platform that also has the answers that it gave to pages lately. */
export interface WithStandingAnswers extends WithMerger {
  readonly standing: StandingQuestions;
}

interface StandingQuestions {
  readonly metric: StandingAnswers<MetricQuery, MetricAnswer>;
  readonly heatmap: StandingAnswers<MetricHeatmapQuery, MetricHeatmap>;
  readonly stalls: StandingAnswers<StallsQuery, Stalls>;
}

export function withStandingAnswers<Opened extends WithMerger>(opened: Opened): Opened & WithStandingAnswers {
  const pace = new AheadPace();
  const keeping = <Input extends TimeRange, Answer>(
    answer: (opened: Opened, input: Input) => Promise<Answer>,
  ) =>
    new StandingAnswers<Input, Answer>(
      (input) => answer(opened, input),
      () => opened.now().getTime(),
      pace,
    );
  const standing: StandingQuestions = {
    metric: keeping(answerMetric),
    heatmap: keeping(answerHeatmap),
    stalls: keeping(answerStalls),
  };
  const close = async () => {
    for (const each of Object.values(standing)) each.close();
    await opened.close();
  };
  return { ...opened, standing, close };
}

type Standingly<Input, Answer> = (verb: Verb<Input, WithStandingAnswers>) => Promise<Answer>;

/** Answers a page like the verb of the same question, but the answer may be some seconds old. */
const answering =
  <Input extends TimeRange, Answer>(
    of: (questions: StandingQuestions) => StandingAnswers<Input, Answer>,
  ): Standingly<Input, Answer> =>
  async ({ ctx, input }) => {
    requireRole(ctx, "viewer");
    return of(ctx.platform.standing).answer(input);
  };

export const queryStandingMetric = answering(({ metric }) => metric);
export const queryStandingHeatmap = answering(({ heatmap }) => heatmap);
export const findStandingStalls = answering(({ stalls }) => stalls);

/** A question without its times, but with the length of its range. */
const keyOf = ({ fromMs, toMs, ...question }: TimeRange): string => JSON.stringify([toMs - fromMs, question]);

const standsMsMax = ({ fromMs, toMs }: TimeRange): number =>
  Math.min(STANDS_MS_MAX, Math.max(STANDS_MS_MIN, (toMs - fromMs) * STANDS_SHARE_MAX));

const standsMs = ({ input, tookMs }: Standing<TimeRange, unknown>): number =>
  Math.min(standsMsMax(input), STANDS_FACTOR * (tookMs ?? Number.POSITIVE_INFINITY));

const overAtMs = (each: Standing<TimeRange, unknown>): number => each.madeAtMs + standsMs(each);

const stands = (each: Standing<TimeRange, unknown>, nowMs: number): boolean => nowMs < overAtMs(each);

const isDueAhead = (each: Standing<TimeRange, unknown>, nowMs: number): boolean =>
  (each.tookMs ?? 0) >= AHEAD_TOOK_MS_MIN && nowMs >= each.madeAtMs + standsMs(each) / 2;

const movedMs = (from: TimeRange, to: TimeRange): number => Math.abs(to.toMs - from.toMs);

/** The range that pages ask for at this time: its end is the first whole pace that is not over. */
function movedOn<Range extends TimeRange>(range: Range, nowMs: number): Range {
  const movesMs = Math.max(0, Math.ceil((nowMs - range.toMs) / PACE_MS)) * PACE_MS;
  return { ...range, fromMs: range.fromMs + movesMs, toMs: range.toMs + movesMs };
}
