import type { MetricClient } from "@stashlight/db/metrics";

/** Above this number of rows, reading takes longer than all computations on them. */
const LARGE_COUNT = 500;
/** Time for which large answers are cached: their points are a minute long, so they may be some seconds old. */
const KEPT_MS = 5_000;

/**
 * Shares the answer of a query among all requests that arrive while it is computed. A page's charts send their requests
 * at the same time, and most concern the same nodes. With `countOf`, an answer of more than 500 rows is cached for five
 * seconds.
 */
export function sharing<Parameters extends readonly unknown[], Answer>(
  ask: (client: MetricClient, ...parameters: Parameters) => Promise<Answer>,
  countOf: (answer: Answer) => number = () => 0,
): (client: MetricClient, ...parameters: Parameters) => Promise<Answer> {
  const shared = new WeakMap<MetricClient, Map<string, Promise<Answer>>>();
  return (client, ...parameters) => {
    const ofClient = shared.get(client) ?? new Map<string, Promise<Answer>>();
    shared.set(client, ofClient);
    const key = JSON.stringify(parameters);
    const known = ofClient.get(key);
    if (known !== undefined) return known;
    const answer = ask(client, ...parameters);
    ofClient.set(key, answer);
    const forget = (): void => {
      ofClient.delete(key);
    };
    answer.then((found) => {
      if (countOf(found) > LARGE_COUNT) setTimeout(forget, KEPT_MS).unref();
      else forget();
    }, forget);
    return answer;
  };
}
