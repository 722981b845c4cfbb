/**
 * What a program is asked (spec/conformance.md, "Methods"). Vectors hold the same objects, so both
 * are read with these.
 */
import {
  parseCount,
  parseExactFields,
  parseJson,
  parseList,
  parseTable,
  parseText,
  parseTrue,
  parseWord,
} from "../shape.ts";

export const parseMode = parseWord("strict", "lenient");

export const parseLoad = parseExactFields({ documents: parseList(parseJson), mode: parseMode }, {});

export const parseGet = parseExactFields({ id: parseText }, { version: parseText });

const parseUsage = parseExactFields({ inputTokens: parseCount, outputTokens: parseCount }, {});
const parseReply = parseExactFields(
  {},
  { text: parseText, json: parseJson, failure: parseText, usage: parseUsage },
);
/** What a scripted backend does with one request. */
export type BackendReply = ReturnType<typeof parseReply>;

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
  },
);
/** One thing that a scripted tool does. */
export type ToolAction = ReturnType<typeof parseAction>;

export const parseScript = parseExactFields(
  {},
  { backends: parseTable(parseList(parseReply)), tools: parseTable(parseList(parseAction)) },
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
