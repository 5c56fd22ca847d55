import { forecastListInput, wearForecastInput } from "@stashlight/contracts/forecast";
import { listForecasts, readWearForecast } from "@stashlight/services/forecast";
import { queryWith, router } from "../trpc.ts";

export const forecastRouter = router({
  list: queryWith(forecastListInput, listForecasts),
  wear: queryWith(wearForecastInput, readWearForecast),
});
