import { forecastListInput } from "@stashlight/contracts/forecast";
import { listForecasts } from "@stashlight/services/forecast";
import { queryWith, router } from "../trpc.ts";

export const forecastRouter = router({ list: queryWith(forecastListInput, listForecasts) });
