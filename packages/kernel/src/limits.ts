/** Every named maximum of definitions and calls. Each has a test at it and one past it. */
import { VALUE_BYTES_MAX } from "@turnseal/protocol";

/** How deep calls may nest: the root call is at depth one. */
export const DEPTH_MAX = 32;
/** Steps of one composite. */
export const STEPS_MAX = 256;
/** Expressions in the mappings of one composite. */
export const EXPRESSIONS_MAX = 256;
/** Bytes of one loop document, as canonical JSON. */
export const DOCUMENT_BYTES_MAX = 512 * 1024;
/**
 * The nesting of a loop document: less than that of canonical JSON, since a request carries its
 * schemas.
 */
export const DOCUMENT_DEPTH_MAX = 96;
/** Bytes of one schema, as canonical JSON. */
export const SCHEMA_BYTES_MAX = 64 * 1024;
/** Levels of subschemas in one schema. */
export const SCHEMA_DEPTH_MAX = 32;
/** Patterns of one schema that differ. */
export const SCHEMA_PATTERNS_MAX = 50;
/** Steps of one validation: subschemas applied, and parts of the value looked at. */
export const VALIDATION_STEPS_MAX = 2_000_000;
/**
 * How deep subschemas may be applied inside each other, through the value and through references.
 */
export const VALIDATION_NESTING_MAX = 1_000;
/** Problems that are reported of one value; a longer list says no more. */
export const PROBLEMS_MAX = 20;
/** UTF-16 units of one reported problem; a longer one is cut. */
export const PROBLEM_LENGTH_MAX = 500;
/** Bytes of a template, and of a system prompt. */
export const TEMPLATE_BYTES_MAX = 64 * 1024;
/** UTF-16 units of a rendered prompt. */
export const PROMPT_LENGTH_MAX = 4 * 1024 * 1024;
/** Bytes of the input of a call. */
export const INPUT_BYTES_MAX = VALUE_BYTES_MAX;
/** Bytes of the output of a call. */
export const OUTPUT_BYTES_MAX = VALUE_BYTES_MAX;
/** Events of one root call with everything below it, not counting those that close open parts. */
export const TRACE_EVENTS_MAX = 10_000;
/** Bytes of a tool's output that a model is shown; of a larger one it is shown the beginning. */
export const OUTPUT_PREVIEW_BYTES_MAX = 16 * 1024;
/** Bytes of a larger output that a model can ask for at once. */
export const OUTPUT_RANGE_BYTES_MAX = 16 * 1024;
/** UTF-16 units of a tool's live output; later ones are dropped. */
export const TOOL_OUTPUT_LENGTH_MAX = 64 * 1024;
/** UTF-16 units of a log line; a longer one is cut. */
export const LOG_LENGTH_MAX = 8 * 1024;
/** Bytes of the payload of a vendor's event. */
export const PAYLOAD_BYTES_MAX = 16 * 1024;
/** The longest wait of a question that sets one: a year. */
export const QUESTION_WITHIN_MS_MAX = 365 * 24 * 60 * 60 * 1000;
/** UTF-16 units of the role that a question is for. */
export const QUESTION_ROLE_LENGTH_MAX = 256;
/** The longest time a document may ask for. */
export const TIMEOUT_MS_MAX = 24 * 60 * 60 * 1000;
/** How long a tool may take when its loop does not say. */
export const TOOL_TIMEOUT_MS_DEFAULT = 30_000;
/** How long a prompt may take when its loop does not say. */
export const PROMPT_TIMEOUT_MS_DEFAULT = 120_000;
/** How long a model may give nothing of an answer in pieces when its loop does not say. */
export const FIRST_PIECE_MS_DEFAULT = 60_000;
/** How long a composite may take when its loop does not say. */
export const COMPOSITE_TIMEOUT_MS_DEFAULT = 900_000;
/** How long the log may take to keep a claim before that shortens the time of the act. */
export const LOG_WAIT_MS_MAX = 5_000;
/** How long after a claim's deadline its end may still arrive. */
export const GRACE_MS = 5_000;
/** How long a tool may take to reconcile an earlier attempt. */
export const RECONCILE_MS_MAX = 30_000;
/** How long a tool may take to inspect one thing outside. */
export const INSPECT_MS_MAX = 10_000;
/** Retries of one action that may be repeated. */
export const RETRIES_MAX = 2;
/** The delay before the first retry; each further one doubles it. */
export const RETRY_DELAY_MS = 500;
/** The longest pause that a provider may ask for; after a longer one it is not asked again. */
export const RETRY_AFTER_MS_MAX = 60 * 60 * 1000;
/** How often a run looks for a cancel while an action is in flight. */
export const INBOX_POLL_MS = 200;
/** Repeats after an answer without text and without a tool. */
export const EMPTY_ANSWERS_MAX = 2;
/** Repeats after an output that the schema refuses. */
export const OUTPUT_REPAIRS_MAX = 1;
/** Signals that a prompt is shown in one round; the others follow in the next. */
export const ROUND_SIGNALS_MAX = 16;
/** Tools that a model may ask for in one round. */
export const ROUND_TOOLS_MAX = 32;
/** Tools that a prompt may offer. */
export const PROMPT_TOOLS_MAX = 64;
/** Texts at which the model of a prompt stops writing. */
export const STOPS_MAX = 16;
/** UTF-16 units of one such text. */
export const STOP_LENGTH_MAX = 256;
/** The largest seed: some providers take no more than 31 bits. */
export const SEED_MAX = 2_147_483_647;
/** Tokens of thoughts that a prompt may ask for. */
export const REASONING_TOKENS_MAX = 256_000;
/** Providers with options of their own in one prompt. */
export const OPTION_PROVIDERS_MAX = 8;
/** Bytes of all options for providers of one prompt, as canonical JSON. */
export const PROVIDER_OPTIONS_BYTES_MAX = 16 * 1024;
/** Routes of one prompt. */
export const ROUTES_MAX = 8;
/** Filters of one prompt, on each side. */
export const FILTERS_MAX = 8;
/** UTF-16 units of the name of a rate limit. */
export const LIMIT_NAME_LENGTH_MAX = 128;
/** Requests that a rate limit may allow in a minute, and at once. */
export const LIMIT_COUNT_MAX = 10_000;
/** How long a limiter may take to answer. */
export const LIMIT_ANSWER_MS_MAX = 2_000;
/** How long a turn is put down at least that has waited for a lease in vain. */
export const LIMIT_PAUSE_MS = 30_000;
/** How long a turn stays in hand while it waits; for longer it is put down until its time. */
export const WAIT_IN_PLACE_MS_MAX = 5_000;
/** Tokens that a request of a thread may have, where its loop does not say. */
export const CONTEXT_TOKENS_DEFAULT = 128_000;
/** Entries of a thread that are shown at once; beyond them the older half is left out. */
export const THREAD_ENTRIES_MAX = 10_000;
/**
 * Tokens that a provider may count for 1,000 estimated ones: what it counts beyond is not believed.
 */
export const TOKEN_RATIO_MAX = 4_000;
/** Entries of all threads together that a run may copy from another. */
export const COPIED_ENTRIES_MAX = 20_000;
/**
 * Bytes of the entries that a handoff's run gets, as JSON and with their frames; older ones are
 * left out.
 */
export const COPY_BYTES_MAX = 512 * 1024;
/** Bytes that the frame of one such entry is counted as: more than it has. */
export const COPY_FRAME_BYTES = 512;
/** Tokens that an image is estimated at, and a document at least. */
export const IMAGE_TOKENS = 1_600;
/** Bytes of a PDF for each estimated token. */
export const PDF_BYTES_PER_TOKEN = 128;
/** Bytes of audio for each estimated token. */
export const AUDIO_BYTES_PER_TOKEN = 512;
/** Tokens that audio is estimated at at least. */
export const AUDIO_TOKENS_MIN = 64;
/** How many times its estimate is reserved for a file: as many as a provider is believed. */
export const FILE_RESERVE_FACTOR = 4;
/** The same for audio: at the lowest rates a second of it is a thousand bytes. */
export const AUDIO_RESERVE_FACTOR = 16;
/** Tokens that are reserved for a PDF at least: 100 pages, each read as an image. */
export const PDF_RESERVE_TOKENS_MIN = 100 * IMAGE_TOKENS;
/** The share of the window from which on entries are summarised, where a prompt does not say. */
export const SUMMARY_SHARE_DEFAULT = 0.8;
/** The smallest share that a prompt may ask for. */
export const SUMMARY_SHARE_MIN = 0.1;
/** Tokens of a summary by the loop that comes with the runtime. */
export const SUMMARY_TOKENS_MAX = 2_048;
/** Bytes of the entries that are summarised at once, as they are written for it. */
export const SPAN_BYTES_MAX = 448 * 1024;
/** Threads of one run. */
export const THREADS_MAX = 64;
/** How long a cache may be used at most: thirty days. */
export const CACHE_TTL_MS_MAX = 30 * 24 * 60 * 60 * 1000;
/** The lifetime of results in a worker's memory, by default. */
export const CACHE_EPHEMERAL_MS_DEFAULT = 10 * 60 * 1000;
/** The lifetime of results in a store, by default. */
export const CACHE_PERSISTENT_MS_DEFAULT = 24 * 60 * 60 * 1000;
/** Bytes of an output that may be kept for other calls, as canonical JSON. */
export const CACHED_BYTES_MAX = 256 * 1024;
/** How long a cache may take to answer; a later answer counts as a miss. */
export const CACHE_ANSWER_MS_MAX = 500;
/** Notes of a scope without tasks, and of one that inherits; the oldest make room. */
export const FLAT_NOTES_MAX = 10;
/** Notes of a scope with tasks; the oldest that are no open task make room. */
export const TASK_NOTES_MAX = 64;
/** Tasks that are done and still noted. */
export const DONE_NOTES_MAX = 3;
/** Results of one task that are noted. */
export const RESULT_NOTES_MAX = 3;
/** Notes that are shown at each level of a tree of tasks. */
export const LEVEL_NOTES_MAX = 2;
/** Bytes of the text of a note. */
export const NOTE_BYTES_MAX = 2_048;
/** Requests that show a note, if it limits them. */
export const NOTE_ROUNDS_MAX = 1_000;
/** Notes that a prompt may begin with. */
export const PROMPT_NOTES_MAX = 16;
/** Scopes of one run that have notes. */
export const SCOPES_MAX = 16;
/** Bytes of one answer of a model, as JSON. */
export const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
/** Characters of an id that a provider gives to a tool call: some put signatures into it. */
export const TOOL_CALL_ID_LENGTH_MAX = 16_384;
/** Characters of the name of a model that answered. */
export const MODEL_NAME_LENGTH_MAX = 200;
/** Output tokens that are reserved for a request whose loop does not say. */
export const OUTPUT_TOKENS_DEFAULT = 4_096;
/** Files that one call of a tool may change, and the bytes of what it writes. */
export const ARTIFACT_CHANGES_MAX = 1_000;
export const ARTIFACT_BYTES_MAX = 64 * 1024 * 1024;
/** Secrets that one tool may declare. */
export const TOOL_SECRETS_MAX = 16;
/** Bytes of a piece of a secret that is removed from output; of a short secret, half of it. */
export const PIECE_BYTES_MAX = 8;
/** Items of a fan-out that run at once, where it does not say. */
export const CONCURRENCY_DEFAULT = 8;
/** Items of a fan-out in one turn; a wider one says that its items are runs of their own. */
export const FAN_OUT_MAX = 256;
/** Items of a fan-out that are runs of their own. */
export const SPREAD_MAX = 1_000;
/** The longest reason of a failure, and the longest label of an item, for a flow. */
export const FLOW_REASON_LENGTH_MAX = 500;
export const ITEM_LABEL_LENGTH_MAX = 80;
/** The question of a tool: its words, and all of it. */
export const TOOL_QUESTION_LENGTH_MAX = 2_000;
export const TOOL_QUESTION_BYTES_MAX = 65_536;
/** How many questions one call may ask. */
export const TOOL_QUESTIONS_MAX = 16;

/** Rounds of a node that repeats. */
export const REPEAT_ROUNDS_MAX = 1_000;
/** Transitions of a machine. */
export const TRANSITIONS_MAX = 1_000;
/** Nodes that one call of a flow may run, also such as leave nothing in the log. */
export const NODE_RUNS_MAX = 20_000;
/** Steps of the expressions of a flow that count as one more node. */
export const NODE_STEPS = 1_000;
/** Tries of a node, the first among them. */
export const NODE_TRIES_MAX = 10;
/** The longest delay between two tries of a node that a flow may ask for. */
export const RETRY_WAIT_MS_MAX = 24 * 60 * 60 * 1000;
/** Transitions of a machine that does not say. */
export const TRANSITIONS_DEFAULT = 50;
/** The delay before the second try of a node that does not say. */
export const RETRY_WAIT_MS_DEFAULT = 1_000;
/** The longest delay between two tries of a node that does not say. */
export const RETRY_CAP_MS_DEFAULT = 60_000;
/** How long a node waits that does not say: a day. */
export const WAIT_MS_DEFAULT = 24 * 60 * 60 * 1000;

/** Members of an effect group. */
export const GROUP_MEMBERS_MAX = 32;
/** How long people have to decide about a group that was done in part. */
export const GROUP_REST_MS = 7 * 24 * 60 * 60 * 1_000;
