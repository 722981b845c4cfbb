/** Servers in one file. */
export const SERVERS_MAX = 64;
/** Tools of one server. */
export const SERVER_TOOLS_MAX = 2_000;
/** Pages of one list of tools. */
export const LIST_PAGES_MAX = 64;
/** UTF-16 units of a description: every request that may use the tool carries it. */
export const DESCRIPTION_LENGTH_MAX = 8 * 1024;
/** Bytes of one message of a server. */
export const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes that a server may send between two answers. */
export const UNANSWERED_BYTES_MAX = 64 * 1024 * 1024;
/** Messages that a server may send between two answers. */
export const UNASKED_MESSAGES_MAX = 10_000;
/**
 * Questions in one result that asks for input, and UTF-16 units of the words and the name of each.
 */
export const INPUT_REQUESTS_MAX = 8;
export const INPUT_MESSAGE_LENGTH_MAX = 200;
export const INPUT_NAME_LENGTH_MAX = 64;
/** How long a server may take to start and to list its tools. */
export const CONNECT_MS_MAX = 30_000;
/** Parts of one result. */
export const PARTS_MAX = 256;
/** UTF-16 units of all texts of one result. */
export const TEXT_LENGTH_MAX = 256 * 1024;
/** Bytes of a program whose digest is part of a server's identity. */
export const PROGRAM_BYTES_MAX = 64 * 1024 * 1024;
/** UTF-16 units of what a server's process said last that a failure shows. */
export const COMPLAINT_LENGTH_MAX = 300;
/** How long a stopped server has before it is killed. */
export const STOP_MS = 1_000;
