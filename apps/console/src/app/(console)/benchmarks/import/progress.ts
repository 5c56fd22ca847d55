import { formatCount } from "@stashlight/ui";
import { formatDuration } from "../../../../client/duration.ts";
import type { UploadProgress } from "./upload.ts";

/** An estimate is meaningless before this share is done. */
const ESTIMATE_SHARE_MIN = 0.05;

export interface ShownProgress {
  /** 0 to 1; null if the duration of the step is unknown. */
  share: number | null;
  detail: string;
}

/** Position and label of the progress bar; `elapsedMs` is the time for which the current stage has run. */
export function shownProgress(progress: UploadProgress, elapsedMs: number): ShownProgress {
  switch (progress.stage) {
    case "sending":
      return { share: progress.sentShare, detail: `${formatPercent(progress.sentShare)} sent` };
    case "reading": {
      const { readShare, sampleCount } = progress;
      const left = readShare < ESTIMATE_SHARE_MIN ? null : (elapsedMs * (1 - readShare)) / readShare;
      const parts = [`${formatPercent(readShare)} read`, `${formatCount(sampleCount)} samples`];
      if (left !== null && readShare < 1) parts.push(`about ${formatDuration(left)} left`);
      return { share: readShare, detail: parts.join(", ") };
    }
    case "storing":
      return { share: null, detail: `${formatCount(progress.sampleCount)} samples, storing` };
  }
}

const formatPercent = (share: number): string => `${Math.floor(100 * share)} %`;
