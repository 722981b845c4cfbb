/** UTF-16 units of a message of a person. */
export const MESSAGE_LENGTH_MAX = 100_000;
/** UTF-16 units of the reason that a person gives with a decision. */
export const REASON_LENGTH_MAX = 10_000;
/** Runs that one request for a page reads. The next page goes on after them. */
export const LIST_LOOKS_MAX = 1_000;
