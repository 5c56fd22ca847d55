import {
  askBucketsInput,
  listDeletionsInput,
  previewRulesInput,
  readBucketAnswerInput,
  saveRulesInput,
} from "@stashlight/contracts/bucket";
import { forecastListInput, wearForecastInput } from "@stashlight/contracts/forecast";
import { listLostObjectsInput } from "@stashlight/contracts/lost-object";
import { locateObjectInput, readLocationsInput } from "@stashlight/contracts/object-location";
import {
  askBuckets,
  listDeletions,
  previewRules,
  readBucketAnswer,
  saveRules,
} from "@stashlight/services/bucket";
import { listDurability } from "@stashlight/services/durability";
import { listForecasts, readWearForecast } from "@stashlight/services/forecast";
import { locateObject, readLocations } from "@stashlight/services/object-location";
import { listLostObjects, listVaults } from "@stashlight/services/vault";
import { mutationWith, query, queryWith, router } from "../trpc.ts";

export const vaultRouter = router({
  list: query(listVaults),
  listDurability: query(listDurability),
  listLostObjects: queryWith(listLostObjectsInput, listLostObjects),
});

export const bucketRouter = router({
  ask: mutationWith(askBucketsInput, askBuckets),
  preview: mutationWith(previewRulesInput, previewRules),
  save: mutationWith(saveRulesInput, saveRules),
  read: queryWith(readBucketAnswerInput, readBucketAnswer),
  listDeletions: queryWith(listDeletionsInput, listDeletions),
});

export const forecastRouter = router({
  list: queryWith(forecastListInput, listForecasts),
  wear: queryWith(wearForecastInput, readWearForecast),
});

export const objectLocationRouter = router({
  ask: mutationWith(locateObjectInput, locateObject),
  read: queryWith(readLocationsInput, readLocations),
});
