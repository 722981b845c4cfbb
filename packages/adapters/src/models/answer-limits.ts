/** Characters of the largest answer, with everything that the provider attaches to it. */
export const ANSWER_LENGTH_MAX = 8 * 1024 * 1024;
/** Bytes of the largest answer on its way, with everything around it that is no content. */
export const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
/** Parts of the content of an answer. */
export const CONTENT_PARTS_MAX = 1_024;
/** Messages of one stream, also empty ones. */
export const STREAM_PARTS_MAX = 300_000;
