/** Every named maximum of files. Each has a test at it and one past it. */

/** Bytes of one file. */
export const FILE_BYTES_MAX = 20 * 1024 * 1024;
/** Files of one message: of one input, of one result of a tool, of one answer. */
export const FILES_MAX = 16;
/** Bytes of all files of one request to a model. */
export const REQUEST_FILE_BYTES_MAX = 48 * 1024 * 1024;
/** Pixels of an image, by its own header: decoding needs memory for each. */
export const FILE_PIXELS_MAX = 50_000_000;
/** UTF-16 units of the name of a file. */
export const FILE_NAME_LENGTH_MAX = 255;
