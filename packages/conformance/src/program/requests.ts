/**
 * The requests to a program (spec/conformance.md, "Methods"). Vectors hold the same objects, so
 * both are read with these.
 */
import { EFFECTS, type JsonObject } from "@turnseal/protocol";
import {
  type Parse,
  parseCount,
  parseExactFields,
  parseJson,
  parseList,
  parseObject,
  parseTable,
  parseText,
  parseTrue,
  parseWord,
} from "../shape.ts";
import { parseFilesByPlace, parseGivenFile } from "./given-file.ts";
import { GRAPH_JUDGED, JUDGED, SESSION_JUDGED } from "./judged.ts";

export const parseMode = parseWord("strict", "lenient");

export const parseLoad = parseExactFields({ documents: parseList(parseJson), mode: parseMode }, {});

export const parseCompile = parseExactFields({ files: parseTable(parseText) }, {});

export const parseGet = parseExactFields({ id: parseText }, { version: parseText });

const parseUsage = parseExactFields(
  {},
  {
    inputTokens: parseCount,
    outputTokens: parseCount,
    cacheReadTokens: parseCount,
    cacheWriteTokens: parseCount,
    reasoningTokens: parseCount,
  },
);
const parseToolCall = parseExactFields({ tool: parseText, input: parseJson }, {});
/** One part of an answer: words, a thought, a file, or a call of a tool. */
const parsePart = parseExactFields(
  {},
  {
    text: parseText,
    reasoning: parseText,
    file: parseGivenFile,
    toolCall: parseExactFields({ id: parseText, tool: parseText, input: parseText }, {}),
  },
);
export type ReplyPart = ReturnType<typeof parsePart>;
const parseReply = parseExactFields(
  {},
  {
    text: parseText,
    json: parseJson,
    failure: parseText,
    toolCalls: parseList(parseToolCall),
    parts: parseList(parsePart),
    pieces: parseList(parseText),
    broken: parseTrue,
    hang: parseTrue,
    usage: parseUsage,
  },
);
/** A scripted backend's reply to one request. */
export type BackendReply = ReturnType<typeof parseReply>;

const parseReplies = parseList(parseReply);
const parseDeclaredBackend = parseExactFields(
  { replies: parseReplies, takes: parseList(parseText) },
  {},
);
/** A backend that says which media types it takes. */
export type DeclaredBackend = ReturnType<typeof parseDeclaredBackend>;
const parseBackend: Parse<readonly BackendReply[] | DeclaredBackend> = (value, where) =>
  Array.isArray(value) ? parseReplies(value, where) : parseDeclaredBackend(value, where);

const parseSignal = parseExactFields(
  { name: parseText, payload: parseJson },
  { files: parseFilesByPlace },
);
const parseResolve = parseExactFields(
  { action: parseText, resolution: parseText },
  { result: parseJson },
);
/** A word that is no choice is sent all the same: what it is worth is for the run to say. */
const parseDecide = parseExactFields(
  { approval: parseText, choice: parseJson },
  { arguments: parseJson, reason: parseText, standing: parseJson, pattern: parseJson },
);
const parseAnswer = parseExactFields({ question: parseText, answer: parseJson }, {});
/** A row that is put into the inbox directly, without asking the program. */
const parseRow = parseExactFields(
  {
    kind: parseWord("retry", "decide", "answer", "resolve", "result", "revoke"),
    body: parseObject,
  },
  {},
);
/** A message to a run. With the same `key` it counts once. */
const parseMessage = parseExactFields(
  {},
  {
    key: parseText,
    by: parseText,
    roles: parseList(parseText),
    signal: parseSignal,
    cancel: parseTrue,
    turn: parseCount,
    resolve: parseResolve,
    decide: parseDecide,
    answer: parseAnswer,
    revoke: parseText,
    row: parseRow,
  },
);
export type RunMessage = ReturnType<typeof parseMessage>;

/** How a scripted tool lets a secret out. */
const parseBetrayal = parseExactFields(
  { secret: parseText, by: parseWord("return", "throw", "log", "emit") },
  { as: parseWord("plain", "base64", "hex", "url") },
);
export type Betrayal = ReturnType<typeof parseBetrayal>;

const parseAction = parseExactFields(
  {},
  {
    log: parseExactFields({ level: parseText, message: parseText }, {}),
    emit: parseExactFields({ type: parseText }, { payload: parseTable(parseJson) }),
    waitMs: parseCount,
    setInput: parseTable(parseJson),
    return: parseJson,
    echo: parseTrue,
    throw: parseText,
    fail: parseWord("unavailable", "not-done"),
    tell: parseMessage,
    hang: parseTrue,
    ask: parseJson,
    answered: parseTrue,
    show: parseText,
    give: parseList(parseGivenFile),
    read: parseText,
    write: parseTable(parseText),
    betray: parseBetrayal,
  },
);
/** One thing that a scripted tool does. */
export type ToolAction = ReturnType<typeof parseAction>;

const parseActions = parseList(parseAction);
const parseReconciliation = parseExactFields(
  { kind: parseWord("happened", "never", "unsure") },
  { result: parseJson },
);
/** The approval that a tool declares itself; without `request` it declares none. */
const parseApproval = parseExactFields(
  { policy: parseText },
  { request: parseJson, mode: parseText },
);
/** The declared compensation of its effect. */
const parseCompensation = parseExactFields(
  { loop: parseText, version: parseText, build: parseText, effect: parseWord(...EFFECTS) },
  { withinMs: parseCount },
);
const parseDeclaredTool = parseExactFields(
  { calls: parseList(parseActions) },
  {
    effect: parseWord(...EFFECTS),
    build: parseText,
    reconcile: parseReconciliation,
    needs: parseJson,
    secrets: parseList(parseText),
    root: parseText,
    undo: parseText,
    irreversible: parseText,
    compensation: parseCompensation,
    takesBack: parseTrue,
    restores: parseTrue,
    approval: parseApproval,
  },
);
/** A tool with what it declares: its first call goes through the first list, and so on. */
export type DeclaredTool = ReturnType<typeof parseDeclaredTool>;

const parseTool: Parse<readonly ToolAction[] | DeclaredTool> = (value, where) =>
  Array.isArray(value) ? parseActions(value, where) : parseDeclaredTool(value, where);

const parsePrice = parseExactFields(
  { inputMicrosPerMillion: parseCount, outputMicrosPerMillion: parseCount },
  {
    cacheReadMicrosPerMillion: parseCount,
    cacheWriteMicrosPerMillion: parseCount,
    reasoningMicrosPerMillion: parseCount,
  },
);
export const parseScript = parseExactFields(
  {},
  {
    backends: parseTable(parseBackend),
    tools: parseTable(parseTool),
    prices: parseTable(parsePrice),
    policy: parseJson,
    secrets: parseTable(parseText),
  },
);
export type Script = ReturnType<typeof parseScript>;

const parseCall = parseExactFields(
  { loop: parseText, input: parseJson },
  { version: parseText, listener: parseWord("throw", "reject", "never") },
);
/** One call of a loop. */
export type CallRequest = ReturnType<typeof parseCall>;

export const parseCalls = parseList(parseCall);
export const parseCallRequests = parseExactFields({ calls: parseCalls }, {});

const parsePlainObject = parseObject as Parse<JsonObject>;

const parseGuidance = parseExactFields({ ref: parseText, text: parseText }, {});

export const parseReset = parseExactFields({}, { durable: parseTrue });

/**
 * Grant, policy and bounds are taken as they come: what is wrong with them is for the program to
 * say, in its own words.
 */
export const parseStart = parseExactFields(
  { loop: parseText, input: parseJson, grant: parseJson },
  {
    version: parseText,
    bounds: parsePlainObject,
    key: parseText,
    policy: parseJson,
    guidance: parseList(parseGuidance),
    by: parseText,
    source: parseText,
    forkedFrom: parseExactFields({ run: parseText, turn: parseCount }, {}),
    files: parseFilesByPlace,
  },
);
export const parseSession = parseExactFields(
  { run: parseText },
  { after: parseText, limit: parseCount },
);
export const parseOfRun = parseExactFields({ run: parseText }, {});
export const parseAdvance = parseExactFields(
  { run: parseText },
  { once: parseTrue, fleet: parseTrue },
);
export const parseTell = parseExactFields({ run: parseText, message: parseMessage }, {});
export const parseClock = parseExactFields({}, { passMs: parseCount, at: parseText });
export const parseCrash = parseExactFields(
  {},
  { before: parseText, after: parseText, nth: parseCount },
);
export const parseReopen = parseExactFields(
  {},
  { documents: parseList(parseJson), tenant: parseText },
);
export const parseLose = parseExactFields(
  { run: parseText },
  {
    receipt: parseCount,
    eventsAfter: parseCount,
    snapshot: parseTrue,
    erased: parseTrue,
    content: parseExactFields({ text: parseText, becomes: parseText }, {}),
  },
);
export const parseVerify = parseExactFields(
  { keys: parseJson },
  {
    production: parseJson,
    bundle: parseJson,
    receipts: parseList(parseText),
    tree: parseList(parseJson),
  },
);
export const parseCanonicalize = parseExactFields({ json: parseText }, {});
export const parseCheckChain = parseExactFields(
  { run: parseText, after: parseJson, events: parseList(parseJson) },
  {},
);
export const parseJudge = parseExactFields(
  { what: parseWord(...JUDGED, ...SESSION_JUDGED, ...GRAPH_JUDGED), given: parseJson },
  {},
);
