/**
 * Caches live answers (about times that end now), expensive ones for longer, and refreshes recently viewed ones ahead
 * of the next request, for twice as long as they were viewed:
 *
 *     request          answered from the cache         request
 *       |------ took 120 ms, so it is valid for 6 s -------|
 *                              |-- refreshed ahead
 *
 * Pages of a thousand nodes send the same dozen queries every few seconds, for each viewer. An answer that took a few
 * milliseconds is valid for a few tenths of a second, so a small installation shows each window as it arrives. Every
 * answer contains the time of its last sample, so the figures of an older one show their true age.
 */

import type {
  MetricAnswer,
  MetricHeatmap,
  MetricHeatmapQuery,
  MetricQuery,
  Stalls,
  StallsQuery,
} from "@stashlight/contracts/metrics/query";
import { MINUTE_MS, SECOND_MS, type TimeRange } from "@stashlight/contracts/time";
import { type Context, requireRole } from "../../context.ts";
import { answerHeatmap } from "./heatmap.ts";
import type { WithMerger } from "./merger.ts";
import { answerMetric } from "./query.ts";
import { answerStalls } from "./stalls.ts";

/** An answer is valid for this multiple of its computing time, up to the limits below. */
const FRESH_FACTOR = 50;
/** An answer is valid for at most a 360th of its range: ten seconds for an hour. */
const FRESH_SHARE_MAX = 1 / 360;
const FRESH_MS_MIN = 5 * SECOND_MS;
const FRESH_MS_MAX = MINUTE_MS;
/** An answer about a range that ended this long ago is not cached. */
const LIVE_WITHIN_MS = 5 * SECOND_MS;
/** Page times are whole multiples of this. */
const PACE_MS = 5 * SECOND_MS;

/** Quicker answers are not refreshed ahead, because their delay is not noticeable. */
const AHEAD_TOOK_MS_MIN = 20;
/**
 * Answers that were not requested for this long are no longer refreshed; the refresh of briefly viewed answers ends
 * earlier.
 */
const AHEAD_WITHIN_MS = 5 * MINUTE_MS;
/** An answer is refreshed after its last request for this multiple of the time since its first: 0 after a single request. */
const AHEAD_VIEWED_FACTOR = 2;
/**
 * After a refresh the process rests for this multiple of its duration, so refreshes take at most a quarter of the time.
 */
const AHEAD_REST_FACTOR = 3;
const AHEAD_EVERY_MS = 250;

const CACHED_COUNT_MAX = 200;

/**
 * State that all caches of a process share, so that their answers are refreshed one after another, with rests in
 * between.
 */
export class AheadPace {
  isMaking = false;
  restsUntilMs = 0;
}

interface CachedAnswer<Input, Answer> {
  readonly input: Input;
  readonly madeAtMs: number;
  readonly answer: Promise<Answer>;
  /** Null while it is being computed. */
  tookMs: number | null;
  askedAtMs: number;
  readonly firstAskedAtMs: number;
}

export class LiveAnswerCache<Input extends TimeRange, Answer> {
  readonly #make: (input: Input) => Promise<Answer>;
  readonly #nowMs: () => number;
  readonly #pace: AheadPace;
  readonly #answers = new Map<string, CachedAnswer<Input, Answer>>();
  #aheadTimer: NodeJS.Timeout | null = null;

  constructor(make: (input: Input) => Promise<Answer>, nowMs: () => number, pace: AheadPace) {
    this.#make = make;
    this.#nowMs = nowMs;
    this.#pace = pace;
  }

  /** Returns the cached answer, or computes a new one. Rejects as `make` does; a failure is not cached. */
  answer(input: Input): Promise<Answer> {
    const nowMs = this.#nowMs();
    if (input.toMs < nowMs - LIVE_WITHIN_MS) return this.#make(input);
    const key = questionKey(input);
    const found = this.#answers.get(key);
    if (found === undefined || !isFresh(found, nowMs) || movedMs(found.input, input) > freshMsMax(input)) {
      return this.#answerAnew(key, input, nowMs);
    }
    found.askedAtMs = nowMs;
    return found.answer;
  }

  /** Refreshes the answer that expires first, if half of its time has passed and this process has rested. */
  async makeAhead(): Promise<void> {
    const startedMs = this.#nowMs();
    if (this.#pace.isMaking || startedMs < this.#pace.restsUntilMs) return;
    this.#forgetUnasked(startedMs);
    const due = [...this.#answers].filter(([, each]) => isDueAhead(each, startedMs));
    const first = due.sort(([, a], [, b]) => staleAtMs(a) - staleAtMs(b))[0];
    if (first === undefined) return;
    const [key, old] = first;
    const input = movedOn(old.input, startedMs);
    this.#pace.isMaking = true;
    try {
      const answer = await this.#make(input);
      const tookMs = this.#nowMs() - startedMs;
      const { askedAtMs } = this.#answers.get(key) ?? old;
      this.#answers.set(key, {
        input,
        madeAtMs: startedMs,
        answer: Promise.resolve(answer),
        tookMs,
        askedAtMs,
        firstAskedAtMs: old.firstAskedAtMs,
      });
    } catch {
      // Ignored, because the next request retries and reports the reason.
      this.#answers.delete(key);
    } finally {
      this.#pace.isMaking = false;
      const endedMs = this.#nowMs();
      this.#pace.restsUntilMs = endedMs + AHEAD_REST_FACTOR * (endedMs - startedMs);
    }
  }

  close(): void {
    if (this.#aheadTimer !== null) clearInterval(this.#aheadTimer);
    this.#aheadTimer = null;
    this.#answers.clear();
  }

  #answerAnew(key: string, input: Input, nowMs: number): Promise<Answer> {
    const answer = this.#make(input);
    const made: CachedAnswer<Input, Answer> = {
      input,
      madeAtMs: nowMs,
      answer,
      tookMs: null,
      askedAtMs: nowMs,
      firstAskedAtMs: this.#answers.get(key)?.firstAskedAtMs ?? nowMs,
    };
    this.#answers.set(key, made);
    answer.then(
      () => {
        made.tookMs = this.#nowMs() - nowMs;
      },
      () => {
        if (this.#answers.get(key) === made) this.#answers.delete(key);
      },
    );
    if (this.#answers.size > CACHED_COUNT_MAX) this.#forgetLeastAsked();
    this.#aheadTimer ??= setInterval(() => void this.makeAhead(), AHEAD_EVERY_MS).unref();
    return answer;
  }

  #forgetUnasked(nowMs: number): void {
    for (const [key, { askedAtMs }] of this.#answers) {
      if (askedAtMs < nowMs - AHEAD_WITHIN_MS) this.#answers.delete(key);
    }
  }

  #forgetLeastAsked(): void {
    const [least] = [...this.#answers].sort(([, a], [, b]) => a.askedAtMs - b.askedAtMs);
    if (least !== undefined) this.#answers.delete(least[0]);
  }
}

/** A platform that also caches recent answers to pages. */
export interface WithLiveAnswers extends WithMerger {
  readonly liveAnswers: LiveAnswerCaches;
}

interface LiveAnswerCaches {
  readonly metric: LiveAnswerCache<MetricQuery, MetricAnswer>;
  readonly heatmap: LiveAnswerCache<MetricHeatmapQuery, MetricHeatmap>;
  readonly stalls: LiveAnswerCache<StallsQuery, Stalls>;
}

export function withLiveAnswers<Opened extends WithMerger>(opened: Opened): Opened & WithLiveAnswers {
  const pace = new AheadPace();
  const createCache = <Input extends TimeRange, Answer>(
    answer: (opened: Opened, input: Input) => Promise<Answer>,
  ) =>
    new LiveAnswerCache<Input, Answer>(
      (input) => answer(opened, input),
      () => opened.now().getTime(),
      pace,
    );
  const liveAnswers: LiveAnswerCaches = {
    metric: createCache(answerMetric),
    heatmap: createCache(answerHeatmap),
    stalls: createCache(answerStalls),
  };
  const close = async () => {
    for (const each of Object.values(liveAnswers)) each.close();
    await opened.close();
  };
  return { ...opened, liveAnswers, close };
}

type CachedQuery<Input, Answer> = (verb: { ctx: Context<WithLiveAnswers>; input: Input }) => Promise<Answer>;

/** Answers a page like the verb of the same query, but the answer may be some seconds old. */
const answering =
  <Input extends TimeRange, Answer>(
    of: (questions: LiveAnswerCaches) => LiveAnswerCache<Input, Answer>,
  ): CachedQuery<Input, Answer> =>
  async ({ ctx, input }) => {
    requireRole(ctx, "viewer");
    return of(ctx.platform.liveAnswers).answer(input);
  };

export const queryLiveMetric = answering(({ metric }) => metric);
export const queryLiveHeatmap = answering(({ heatmap }) => heatmap);
export const findLiveStalls = answering(({ stalls }) => stalls);

/** A query without its times, but with the length of its range. */
const questionKey = ({ fromMs, toMs, ...question }: TimeRange): string =>
  JSON.stringify([toMs - fromMs, question]);

const freshMsMax = ({ fromMs, toMs }: TimeRange): number =>
  Math.min(FRESH_MS_MAX, Math.max(FRESH_MS_MIN, (toMs - fromMs) * FRESH_SHARE_MAX));

const freshMs = ({ input, tookMs }: CachedAnswer<TimeRange, unknown>): number =>
  Math.min(freshMsMax(input), FRESH_FACTOR * (tookMs ?? Number.POSITIVE_INFINITY));

const staleAtMs = (each: CachedAnswer<TimeRange, unknown>): number => each.madeAtMs + freshMs(each);

const isFresh = (each: CachedAnswer<TimeRange, unknown>, nowMs: number): boolean => nowMs < staleAtMs(each);

const isDueAhead = (each: CachedAnswer<TimeRange, unknown>, nowMs: number): boolean =>
  (each.tookMs ?? 0) >= AHEAD_TOOK_MS_MIN &&
  nowMs >= each.madeAtMs + freshMs(each) / 2 &&
  nowMs - each.askedAtMs <= AHEAD_VIEWED_FACTOR * (each.askedAtMs - each.firstAskedAtMs);

const movedMs = (from: TimeRange, to: TimeRange): number => Math.abs(to.toMs - from.toMs);

/** Moves a page's range to this time, rounded up to a whole interval. */
function movedOn<Range extends TimeRange>(range: Range, nowMs: number): Range {
  const movesMs = Math.max(0, Math.ceil((nowMs - range.toMs) / PACE_MS)) * PACE_MS;
  return { ...range, fromMs: range.fromMs + movesMs, toMs: range.toMs + movesMs };
}
