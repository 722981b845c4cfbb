import type { Mutant } from "./mutant.ts";

/** Faults in sessions: in what watchers of a run see. */
export const sessionMutants: readonly Mutant[] = [
  {
    name: "child-named-by-first-turn",
    file: "packages/views/src/session/describe-child.ts",
    find: "content.turns ?? 1",
    replace: "1",
  },
  {
    name: "thoughts-not-timed",
    file: "packages/views/src/session/apply-answer.ts",
    find: "content: { text, ...findTime(thoughts, index) }",
    replace: "content: { text }",
  },
  {
    name: "thoughts-not-told",
    file: "packages/views/src/session/apply-answer.ts",
    find: '{ type: "reasoning", ...said, content: { text, ...findTime(thoughts, index) } }',
    replace: "",
  },
  {
    name: "summarized-not-told",
    file: "packages/views/src/session/summarized.ts",
    find: "content: { ...first.content, summarized: entries }",
    replace: "content: first.content",
  },
  {
    name: "summarized-told-where-it-stays",
    file: "packages/views/src/session/summarized.ts",
    find: 'strategy !== "summary" || ',
    replace: "",
  },
  {
    name: "summarized-lost-without-words",
    file: "packages/views/src/session/summarized.ts",
    find: 'first?.type !== "assistant-message") return { state, drafts };',
    replace:
      'first?.type !== "assistant-message") return { state: forgetSummarized(state, call), drafts };',
  },
  {
    name: "message-told-twice",
    file: "packages/views/src/session/apply-answer.ts",
    find: 'part["kind"] === "text" ? [{ type: speaker, ...said }] : []',
    replace:
      'part["kind"] === "text" ? [{ type: speaker, ...said }, { type: speaker, ...said }] : []',
  },
  {
    name: "empty-part-told",
    file: "packages/views/src/session/apply-answer.ts",
    find: ' || part["text"] === "") return [];',
    replace: ") return [];",
  },
  {
    name: "abort-of-the-first-generation",
    file: "packages/views/src/session/apply-session-event.ts",
    find: "turn ?? Math.max(state.turn, 1)",
    replace: "turn === undefined ? 1 : 1",
  },
  {
    name: "abort-is-a-failure",
    file: "packages/views/src/session/apply-session-event.ts",
    find: 'if (outcome === "cancelled" && state.isAborted) return say(closed);',
    replace: "",
  },
  {
    name: "failure-not-told",
    file: "packages/views/src/session/apply-session-event.ts",
    find: 'return say(closed, { type: "generation-failure", content: { error: told } });',
    replace: "return say(closed);",
  },
  {
    name: "messages-are-triggers",
    file: "packages/views/src/session/apply-session-event.ts",
    find: "if (name === MESSAGE_SIGNAL) {",
    replace: 'if (name === "") {',
  },
  {
    name: "child-does-not-know-its-parent",
    file: "packages/views/src/session/apply-session-event.ts",
    find: "if (parent === undefined)\n    return",
    replace: "return",
  },
  {
    name: "webhook-is-a-person",
    file: "packages/views/src/session/apply-session-event.ts",
    find: "if (parent === undefined && source !== undefined)",
    replace: "if (false)",
  },
  {
    name: "text-told-again-when-whole",
    file: "packages/views/src/session/told-texts.ts",
    find: "text.slice(isPrefix ? told.text.length : 0)",
    replace: "text",
  },
  {
    name: "answers-run-together",
    file: "packages/views/src/session/to-model-messages.ts",
    find: "first !== undefined && placeOf(first) !== placeOf(content.toolCallId)",
    replace: "first === undefined && placeOf(content.toolCallId) === undefined",
  },
  {
    name: "place-of-any-run",
    file: "packages/host/src/read/session/read-session.ts",
    find: "place === undefined || place.run !== run",
    replace: "place === undefined",
  },
  {
    name: "last-envelope-again",
    file: "packages/host/src/read/session/read-session.ts",
    find: "applied.envelopes.slice(index + 1)",
    replace: "applied.envelopes.slice(Math.max(index, 0))",
  },
  {
    name: "any-field-taken",
    file: "packages/protocol/src/session/parse-envelope.ts",
    find: "if (wrong === undefined) return",
    replace: 'if (wrong === undefined || wrong.fault === "unknown") return',
  },
  {
    name: "any-time-taken",
    file: "packages/protocol/src/session/parse-envelope.ts",
    find: "createdAt: isInstant,",
    replace: "createdAt: isText,",
  },
  {
    name: "filtered-words-told",
    file: "packages/views/src/session/apply-answer.ts",
    find: "state.isAborted || isWithin(state, call, state.filtered)",
    replace: "state.isAborted",
  },
  {
    name: "filters-told",
    file: "packages/views/src/session/apply-session-event.ts",
    find: "if (filter === undefined && summary === undefined) return state;",
    replace: "if (filter !== null) return state;",
  },
];
