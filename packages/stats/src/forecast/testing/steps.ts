export const stepMs = 600_000;
export const stepsPerDay = 144;
