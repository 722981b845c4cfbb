/** Lines that one `read` answers. */
export const READ_LINES_MAX = 2_000;
/** UTF-16 units that one `read` answers. */
export const READ_LENGTH_MAX = 256 * 1024;
/** Entries that one `list` or `glob` answers. */
export const LISTED_MAX = 1_000;
/** Lines that one `grep` answers. */
export const MATCHES_MAX = 200;
/** UTF-16 units of a line that `grep` shows. */
export const MATCH_LENGTH_MAX = 300;
/** Bytes of all files that one `grep` reads. */
export const SEARCH_BYTES_MAX = 64 * 1024 * 1024;
/** Lines that `grep` shows before and after a match. */
export const CONTEXT_LINES_MAX = 5;
/** UTF-16 units of a pattern of paths. */
export const PATTERN_LENGTH_MAX = 256;
/** Patterns that one with braces may stand for. */
export const ALTERNATIVES_MAX = 64;
/** Edits of one call. */
export const EDITS_MAX = 100;
/**
 * Places beside the first at which edits may have been made, when their earlier attempt is sought.
 */
export const PLACES_MAX = 1_000;
/** UTF-16 units of the texts that are made for these places. */
export const PLACES_LENGTH_MAX = 8 * 1024 * 1024;
