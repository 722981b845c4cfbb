/** What one process gives to everybody, and to each tenant. */
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
  /** How long a stream may be open: whoever watches longer says again who they are. */
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
  /** How long somebody may take to read one of them. */
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

/** Bytes of a body: room for the largest input of a run, and for what is said beside it. */
export const BODY_BYTES_MAX = 1024 * 1024 + 16 * 1024;
/** UTF-16 units of a message of a person. */
export const MESSAGE_LENGTH_MAX = 100_000;
/** UTF-16 units of why a person decided so. */
export const REASON_LENGTH_MAX = 10_000;
/** UTF-16 units of a key that a client makes up, of the name of a signal or of an agent. */
export const CLIENT_KEY_LENGTH_MAX = 200;
/** Events of one page. */
export const EVENTS_PAGE_MAX = 500;
export const EVENTS_PAGE_DEFAULT = 100;
/** Runs, requests or receipts of one page. */
export const LIST_PAGE_MAX = 200;
export const LIST_PAGE_DEFAULT = 50;
/** Runs that are looked at for one page: what is found in more is on the next. */
export const LIST_LOOKS_MAX = 1_000;
/** Messages of one body of a chat page, and parts of one: the last message is looked at. */
export const CHAT_MESSAGES_MAX = 10_000;
export const CHAT_PARTS_MAX = 10_000;
