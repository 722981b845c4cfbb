/** What holds when nobody says otherwise. */

/** Whose runs they are. */
export const TENANT_DEFAULT = "default";
/** How many runs a worker carries at once. */
export const SLOTS_DEFAULT = 16;
