/** Describes a verdict by peers, with what to do about it. */
import {
  type FirmwareCluster,
  HOURS_MIN,
  PEERS_MIN,
  type PeerJudgement,
  SLOW_HOURS,
  SLOW_WITHIN_HOURS,
} from "@stashlight/stats/fail-slow";

export interface PeerVerdict {
  readonly device: string;
  readonly judgement: PeerJudgement;
  /** Number of other drives in the same role that synced in a window; 0 before a new vault's first window ends. */
  readonly peerCount: number;
  readonly cluster: FirmwareCluster | null;
}

export function describePeerVerdict({ device, judgement, peerCount, cluster }: PeerVerdict): string {
  const { state, slowdown, slowHours } = judgement;
  const peers = `${peerCount} peers at the same load`;
  if (state === "unknown") {
    return peerCount < PEERS_MIN
      ? `${device} has ${peerCount} ${peerCount === 1 ? "peer" : "peers"} with syncs in a whole ten minutes of the last seven days; a comparison needs ${PEERS_MIN}.`
      : `${device} has enough syncs in fewer than ${HOURS_MIN} of the last ${SLOW_WITHIN_HOURS} hours; a comparison with its ${peerCount} peers needs ${HOURS_MIN}.`;
  }
  const times = (slowdown ?? 1).toFixed(1);
  if (state === "as peers")
    return `${device} takes ${times} times as long to sync as ${peers}: nothing to do.`;
  const seen = `${device} takes ${times} times${intervalInWords(judgement)} as long to sync as ${peers}, in ${slowHours} of the last ${SLOW_WITHIN_HOURS} hours`;
  if (cluster !== null) {
    const { slowCount, driveCount, model, firmware } = cluster;
    return `${seen}. So do ${slowCount} of ${driveCount} of model ${model}, firmware ${firmware}, and no other drive: look for another firmware before you replace any.`;
  }
  return state === "watch"
    ? `${seen}. Watch it: after ${SLOW_HOURS} slow hours within two days it counts as slow.`
    : `${seen}. Replace it, once cable, slot and temperature are ruled out.`;
}

/** " (2.1 to 2.6)"; empty with too few hours for an interval. */
const intervalInWords = ({ slowdownInterval }: PeerJudgement): string =>
  slowdownInterval === null
    ? ""
    : ` (${slowdownInterval.low.toFixed(1)} to ${slowdownInterval.high.toFixed(1)})`;
