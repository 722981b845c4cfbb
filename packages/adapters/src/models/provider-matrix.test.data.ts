/**
 * The result of one request to each provider, in each case. `streamed` means that a watcher is
 * there. The README of this package shows the same table.
 */
import type { Provider } from "./provider-wires.test.data.ts";

const same = (outcome: string): Record<Provider, string> => ({
  openai: outcome,
  "openai-chat": outcome,
  anthropic: outcome,
  google: outcome,
  "openai-compatible": outcome,
});

const HELLO = "stop: Hello, wide world.";
const CALLS = 'tool-calls: get_weather {"city":"Oslo"}, get_weather {"city":"Rome"}';
const INVALID = "MODEL_ANSWER_INVALID, retry";
const BROKEN = "MODEL_ANSWER_BROKEN, retry";
const UNFINISHED = "MODEL_ANSWER_UNFINISHED, retry";

export const OUTCOMES: Readonly<Record<string, Readonly<Record<Provider, string>>>> = {
  text: same(HELLO),
  "text, streamed": same(HELLO),
  "parallel tool calls": same(CALLS),
  "parallel tool calls, streamed": same(CALLS),
  "structured output": same('stop: {"city":"Oslo"}'),
  "structured output, streamed": same('stop: {"city":"Oslo"}'),
  "stopped by the output limit": same("length: Hello, wide world."),
  "stopped by the output limit, streamed": same("length: Hello, wide world."),
  "429 with retry-after": same("MODEL_RATE_LIMITED, retry after 7000 ms"),
  "429 with retry-after, streamed": same("MODEL_RATE_LIMITED, retry after 7000 ms"),
  "status 500": same("MODEL_UNAVAILABLE, retry"),
  "status 500, streamed": same("MODEL_UNAVAILABLE, retry"),
  "malformed answer": same(INVALID),
  "malformed stream, streamed": same(INVALID),
  "malformed from the first byte, streamed": {
    ...same(INVALID),
    anthropic: "MODEL_FAILED, retry",
  },
  "empty answer": same(INVALID),
  "empty stream, streamed": same(UNFINISHED),
  "end without finish, streamed": same(UNFINISHED),
  "failure within the stream, streamed": same(BROKEN),
  "connection lost within the answer": same(BROKEN),
  "connection lost within the answer, streamed": same(BROKEN),
  "content length too large": same(BROKEN),
  "content length too large, streamed": same(BROKEN),
  "content length too small": same(INVALID),
  "content length too small, streamed": same(UNFINISHED),
  "aborted within the answer": same("MODEL_ABORTED, never"),
  "aborted within the answer, streamed": same("MODEL_ABORTED, never"),
};
