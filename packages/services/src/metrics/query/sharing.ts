import type { MetricClient } from "@stashlight/db/metrics";

/** Reading more rows than this costs more than all that is computed from them. */
const LARGE_COUNT = 500;
/** Points of so many series are a minute's, so what is known of them may be some seconds old. */
const KEPT_MS = 5_000;

/**
 * The same question, but who asks it while another's answer is on its way gets that answer too. The charts of a page are
 * asked for at one moment, and most are about the same nodes. With `countOf` an answer of more than 500 of them is kept
 * for five seconds.
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
