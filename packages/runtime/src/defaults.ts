/** Defaults of options. */

/** Whose runs they are. */
export const TENANT_DEFAULT = "default";
/** How many runs a worker drives at once. */
export const SLOTS_DEFAULT = 16;
/** How long the event loop of a worker may stand still before the worker is ended. */
export const STALL_MS_DEFAULT = 5_000;
