/** Limits of a restore, apart from the schemas, so that a form in a browser need not load those. */
export const RESTORE_OBJECTS_MAX = 1e9;
export const RESTORE_CONNECTIONS_MAX = 64;
