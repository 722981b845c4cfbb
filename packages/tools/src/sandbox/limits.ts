/** Processes of one command at the same time. */
export const PROCESSES_MAX = 128;
/** Bytes of writable memory of each process. */
export const PROCESS_BYTES_MAX = 2 * 1024 * 1024 * 1024;
/** Bytes of memory of all processes of a command together. */
export const GROUP_BYTES_MAX = 4 * 1024 * 1024 * 1024;
/** The time between two measurements of that memory. */
export const MEMORY_WATCH_MS = 250;
/** Bytes of each file that a command writes. */
export const FILE_BYTES_MAX = 1024 * 1024 * 1024;
/** Open files of each process. */
export const OPEN_FILES_MAX = 1_024;
/** Bytes of the private `/tmp` of a command. */
export const TMP_BYTES_MAX = 256 * 1024 * 1024;
/** Bytes of each output stream that are kept. */
export const STREAM_BYTES_MAX = 1024 * 1024;
/** Bytes of output after which a command is killed. */
export const FLOOD_BYTES_MAX = 64 * 1024 * 1024;
/** How long a command may run, if the model does not say. */
export const RUN_MS_DEFAULT = 2 * 60 * 1000;
/** How long a command may run. */
export const RUN_MS_MAX = 10 * 60 * 1000;
