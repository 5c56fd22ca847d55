/** A file of its own, so that a page may know it without a schema. More of the samples than this share tagged: the run is contaminated and says so. */
export const taggedShareMax = 0.05;
