import { z } from "zod";

/** Name that a user gives to an object of the console, such as an alert rule. */
export const nameSchema = (charactersMax = 100) =>
  z
    .string()
    .trim()
    .min(1, "Enter a name.")
    .max(charactersMax, `A name can have at most ${charactersMax} characters.`);
