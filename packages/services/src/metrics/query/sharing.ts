import type { MetricClient } from "@stashlight/db/metrics";

/**
 * The same question, but who asks it while another's answer is on its way gets that answer too. The charts of a page are
 * asked for at one moment, and most are about the same nodes.
 */
export function sharing<Parameters extends readonly unknown[], Answer>(
  ask: (client: MetricClient, ...parameters: Parameters) => Promise<Answer>,
): (client: MetricClient, ...parameters: Parameters) => Promise<Answer> {
  const underWay = new WeakMap<MetricClient, Map<string, Promise<Answer>>>();
  return (client, ...parameters) => {
    const ofClient = underWay.get(client) ?? new Map<string, Promise<Answer>>();
    underWay.set(client, ofClient);
    const key = JSON.stringify(parameters);
    const answer =
      ofClient.get(key) ??
      ask(client, ...parameters).finally(() => {
        ofClient.delete(key);
      });
    ofClient.set(key, answer);
    return answer;
  };
}
