/** The shape of a harness file (spec/harness.md, schemas/harness.schema.json). */
import { ANSWERS, STARTER_LENGTH_MAX } from "@turnseal/host";
import { FINISH_REASONS } from "@turnseal/ports";
import {
  EFFECTS,
  isPlainText,
  parseBounds,
  parseGrant,
  STOP_REASONS,
  TURN_OUTCOMES,
  toInstant,
} from "@turnseal/protocol";
import { findPathFault, isRootName } from "@turnseal/protocol/artifact";
import { isVendorEventType, LOG_EVENT_TYPES } from "@turnseal/protocol/trace";
import {
  anyText,
  anything,
  count,
  fault,
  listOf,
  mapOf,
  objectOr,
  ofKind,
  recordOf,
  type Shape,
  table,
  text,
  truth,
  word,
} from "./shape.ts";

const identity = recordOf({ required: { id: text, roles: listOf(text) } });

const starter = ofKind(`a text of 1 to ${STARTER_LENGTH_MAX} characters`, (value) =>
  isPlainText(value, STARTER_LENGTH_MAX),
);

const grant: Shape = (value, path) => {
  const parsed = parseGrant(value);
  return "problem" in parsed
    ? [fault("field-type", path, `is no grant: ${parsed.problem}`, "write it as in spec/grant.md")]
    : [];
};

const bounds: Shape = (value, path) => {
  const parsed = parseBounds(value);
  return "problem" in parsed
    ? [fault("field-type", path, `are refused: ${parsed.problem}`, "write them as in spec/run.md")]
    : [];
};

const reply = recordOf({
  optional: {
    text: anyText,
    json: anything,
    toolCalls: listOf(recordOf({ required: { tool: text, input: anything } })),
    content: listOf(table),
    failure: text,
    mayRetry: truth,
    finishReason: word(FINISH_REASONS),
    usage: recordOf({
      required: { inputTokens: count, outputTokens: count },
      optional: { cacheReadTokens: count, cacheWriteTokens: count, reasoningTokens: count },
    }),
    asked: anyText,
  },
  oneOf: ["text", "json", "toolCalls", "content", "failure"],
});

const toolScript = recordOf({
  required: {
    results: listOf(
      recordOf({
        optional: {
          result: anything,
          failure: text,
          unsure: ofKind("true", (value) => value === true),
          mayRetry: truth,
          given: anything,
        },
        oneOf: ["result", "failure", "unsure"],
      }),
    ),
  },
  optional: { effect: word(EFFECTS), build: text },
});

const wordShapes: Readonly<Record<string, Shape>> = {
  approval: recordOf({
    required: { approval: text, choice: word(["approve", "reject", "edit"]), by: identity },
    optional: { reason: anyText, arguments: anything, request: anything, atOnce: truth },
  }),
  question: recordOf({
    required: { question: text, answer: anything, by: identity },
    optional: { request: anything, atOnce: truth },
  }),
  resolve: recordOf({
    required: { resolve: text, resolution: word(ANSWERS), by: identity },
    optional: { result: anything, atOnce: truth },
  }),
  cancel: recordOf({ required: { cancel: text }, optional: { atOnce: truth } }),
  wait: recordOf({ required: { wait: count } }),
};

/** Each word is known by its first field. */
const callerWord: Shape = (value, path) => {
  const kinds = Object.keys(wordShapes);
  const kind = kinds.find((name) => Object.hasOwn(Object(value), name));
  const shape = kind === undefined ? undefined : wordShapes[kind];
  if (shape !== undefined) return shape(value, path);
  return [
    fault("field-missing", path, "has none of its fields", `write one of ${kinds.join(", ")}`),
  ];
};

const eventType = ofKind(
  "the type of an event, as in spec/events.md",
  (value) =>
    typeof value === "string" &&
    ((LOG_EVENT_TYPES as readonly string[]).includes(value) || isVendorEventType(value)),
);

const turn = recordOf({
  optional: {
    outcome: word(TURN_OUTCOMES),
    reason: text,
    decision: word(["continue", "wait", "stop"]),
    because: text,
    output: anything,
    receipt: text,
    rounds: count,
    loops: listOf(recordOf({ optional: { loop: text, version: text, digest: text } })),
    effects: listOf(
      recordOf({
        optional: {
          action: word(["tool", "handoff"]),
          tool: text,
          status: text,
          effect: word(EFFECTS),
          rule: text,
          approvedBy: listOf(text),
        },
      }),
    ),
    denials: listOf(text),
    guidance: listOf(text),
  },
});

const runFields: Readonly<Record<string, Shape>> = {
  stopped: word(STOP_REASONS),
  waiting: listOf(
    recordOf({
      optional: {
        approval: text,
        question: text,
        unknown: text,
        signal: text,
        to: text,
        role: text,
        request: anything,
      },
      oneOf: ["approval", "question", "unknown", "signal"],
    }),
  ),
  turns: listOf(turn),
  events: objectOr(
    listOf(eventType),
    recordOf({ optional: { includes: listOf(eventType), excludes: listOf(eventType) } }),
  ),
  // A run that was handed to may hand on, so the shape holds itself.
  handoffs: (value, path) => listOf(handedRun)(value, path),
};

const handedRun = recordOf({ optional: { loop: text, ...runFields } });

const textOrNull = ofKind("a text or null", (value) => value === null || typeof value === "string");

/** Files by root and path: each name leads to a file of the root, and nowhere else. */
const filesOf =
  (content: Shape): Shape =>
  (value, path) => [
    ...mapOf(mapOf(content))(value, path),
    ...Object.entries(Object(value)).flatMap(([root, files]) => [
      ...(isRootName(root) ? [] : [fault("field-type", path, `names no root: ${root}`, ROOT_MEND)]),
      ...Object.keys(Object(files))
        .filter((file) => findPathFault(file) !== undefined)
        .map((file) =>
          fault("field-type", `${path}/${root}`, `has no such path: ${file}`, PATH_MEND),
        ),
    ]),
  ];
const ROOT_MEND = "name a root as its tools do, such as `site`";
const PATH_MEND = "write a path from the root, such as `src/a.txt`";

export const harnessShape = recordOf({
  required: {
    name: text,
    loop: text,
    input: anything,
    grant,
    expect: recordOf({
      optional: { ...runFields, refused: listOf(text), files: filesOf(textOrNull) },
      oneOf: ["stopped", "waiting"],
    }),
  },
  optional: {
    $schema: text,
    description: text,
    version: text,
    startsAt: ofKind(
      "an instant such as 2026-01-31T12:00:00.000Z",
      (value) => toInstant(value) === value,
    ),
    from: listOf(text),
    loops: listOf(table),
    by: starter,
    policy: objectOr(text, table),
    guidance: listOf(recordOf({ required: { ref: text }, optional: { text } })),
    bounds,
    model: listOf(reply),
    tools: mapOf(toolScript),
    files: filesOf(anyText),
    signals: listOf(
      recordOf({
        required: { name: text, payload: anything, by: text },
        optional: { afterTurn: count },
      }),
    ),
    caller: listOf(callerWord),
  },
});
