/** UTF-16 units of a URL. */
export const URL_LENGTH_MAX = 2_048;
/** Bytes of an answer that are read. */
export const ANSWER_BYTES_MAX = 5 * 1024 * 1024;
/** Bytes of a body that is sent. */
export const BODY_LENGTH_MAX = 512 * 1024;
/** Headers that a model may send. */
export const HEADERS_MAX = 32;
/** UTF-16 units of a text that is answered. */
export const TEXT_LENGTH_MAX = 256 * 1024;
/** Redirects within one host. */
export const REDIRECTS_MAX = 5;
/** How long a request may take. */
export const REQUEST_MS_MAX = 30_000;
