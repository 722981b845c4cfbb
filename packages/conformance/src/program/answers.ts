/** A program's answers to each request (spec/conformance.md, "Methods"). */
import type { JsonObject } from "@turnseal/protocol";
import type { PublicKey } from "@turnseal/protocol/receipts";
import {
  type Parse,
  parseCount,
  parseFields,
  parseJson,
  parseList,
  parseObject,
  parseText,
  parseWord,
} from "../shape.ts";

/** The version of the protocol that this suite speaks. */
export const PROTOCOL_VERSION = 1;

export const parseHello = parseFields(
  { name: parseText, version: parseText, protocol: parseCount, profiles: parseList(parseText) },
  {},
);

const parseProblem = parseFields({ path: parseText, message: parseText }, {});
const parseLoadedDocument = parseFields(
  { kind: parseWord("accepted", "rejected") },
  { id: parseText, version: parseText, problems: parseList(parseProblem) },
);
export type LoadedDocument = ReturnType<typeof parseLoadedDocument>;
export const parseLoadAnswer = parseFields({ documents: parseList(parseLoadedDocument) }, {});

const parseListedLoop = parseFields({ id: parseText, version: parseText }, {});
export type ListedLoop = ReturnType<typeof parseListedLoop>;
export const parseListAnswer = parseFields({ loops: parseList(parseListedLoop) }, {});

export const parseGetAnswer = parseFields({}, { document: parseJson });

/**
 * An event of the program's answer. Missing fields read as empty, so that the rules on events can
 * say which one is wrong.
 */
export interface SeenEvent {
  readonly callId: string;
  readonly ts: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const parseSeenEvent: Parse<SeenEvent> = (value, where) => {
  const event = parseObject(value, where);
  const text = (field: unknown) => (typeof field === "string" ? field : "");
  return {
    callId: text(event["callId"]),
    ts: text(event["ts"]),
    type: text(event["type"]),
    payload:
      event["payload"] === undefined ? {} : parseObject(event["payload"], `${where}.payload`),
  };
};

const parseResult = parseFields(
  { status: parseWord("ok", "error"), trace: parseList(parseSeenEvent) },
  {
    output: parseJson,
    error: parseFields({ code: parseText, message: parseText }, { details: parseJson }),
  },
);
const parseSeenCall = parseFields({ result: parseResult, inputAfter: parseJson }, {});
export const parseCallAnswer = parseFields(
  {
    calls: parseList(parseSeenCall),
    backendRequests: parseList(parseObject),
    toolCalls: parseList(parseObject),
  },
  {},
);
export type SeenCall = ReturnType<typeof parseSeenCall> & {
  readonly backendRequests: readonly Readonly<Record<string, unknown>>[];
  readonly toolCalls: readonly Readonly<Record<string, unknown>>[];
};

const parseStored: Parse<JsonObject> = (value, where) => parseObject(value, where) as JsonObject;
export const parseEventsAnswer = parseFields({ events: parseList(parseStored) }, {});

const parseKey: Parse<PublicKey> = (value, where) =>
  parseObject(value, where) as unknown as PublicKey;
const parseReceipt = parseFields({ turn: parseCount, id: parseText, text: parseText }, {});
export const parseReceiptsAnswer = parseFields(
  { receipts: parseList(parseReceipt), keys: parseList(parseKey) },
  {},
);

export const parseSessionAnswer = parseFields({ envelopes: parseList(parseStored) }, {});
const parseCallback = parseFields({ callback: parseText, info: parseStored }, {});
export const parseStreamAnswer = parseFields({ calls: parseList(parseCallback) }, {});
