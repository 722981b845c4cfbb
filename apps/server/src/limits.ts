/** The limits of one process, for all callers and for each tenant. */
export interface ServerLimits {
  /** Requests of one tenant within `windowMs`. */
  readonly requestsMax: number;
  readonly windowMs: number;
  /** Open streams of one tenant. */
  readonly tenantStreamsMax: number;
  /** Open streams of all. */
  readonly streamsMax: number;
  /** Bytes that wait for one reader, before it is cut. */
  readonly bufferBytesMax: number;
  /** How long a stream may be open: a longer watcher authenticates again. */
  readonly streamMs: number;
  /** How often an open stream says that it is there. */
  readonly keepAliveMs: number;
  /** Files that are on their way in at the same time: each is held until it is whole. */
  readonly uploadsMax: number;
  /** Those of one tenant. */
  readonly tenantUploadsMax: number;
  /** Bytes of files that are taken from one tenant within `windowMs`. */
  readonly uploadBytesMax: number;
  /** Bytes of files and pages that are on their way out, and were not read yet. */
  readonly downloadBytesMax: number;
  /** Those of one tenant; MUST have room for the largest file. */
  readonly tenantDownloadBytesMax: number;
  /** How long the reading of one of them may take. */
  readonly downloadMs: number;
  /** Looks at logs that are under way at the same time. */
  readonly looksMax: number;
}

export const SERVER_LIMITS_DEFAULT: ServerLimits = {
  requestsMax: 6_000,
  windowMs: 60_000,
  tenantStreamsMax: 10_000,
  streamsMax: 20_000,
  bufferBytesMax: 1024 * 1024,
  streamMs: 3_600_000,
  keepAliveMs: 15_000,
  uploadsMax: 16,
  tenantUploadsMax: 8,
  uploadBytesMax: 256 * 1024 * 1024,
  downloadBytesMax: 512 * 1024 * 1024,
  tenantDownloadBytesMax: 128 * 1024 * 1024,
  downloadMs: 120_000,
  looksMax: 32,
};

/** Bytes of a body: room for the largest input of a run, and for its other fields. */
export const BODY_BYTES_MAX = 1024 * 1024 + 16 * 1024;
/** UTF-16 units of a key that a client makes up, of the name of a signal or of an agent. */
export const CLIENT_KEY_LENGTH_MAX = 200;
/** Events of one page. */
export const EVENTS_PAGE_MAX = 500;
export const EVENTS_PAGE_DEFAULT = 100;
/** Runs, requests or receipts of one page. */
export const LIST_PAGE_MAX = 200;
export const LIST_PAGE_DEFAULT = 50;
/**
 * The most messages in one body of a chat page, and parts of one: only the last message is read.
 */
export const CHAT_MESSAGES_MAX = 10_000;
export const CHAT_PARTS_MAX = 10_000;
