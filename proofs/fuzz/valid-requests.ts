/** Requests of the conformance protocol, as a suite would send them. */
import { sealedRuns, trustedKeys } from "./sealed-runs.ts";
import { companions, documents } from "./valid-documents.ts";

export interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
}

const calls = [
  { loop: "save-person", input: { name: "Ada" } },
  { loop: "pipeline", input: { name: "Bo", tags: ["a"] }, version: "1.0.0" },
  { loop: "greet", input: { name: "Cy", age: 3, tags: [] }, listener: "throw" },
];

const sealed = sealedRuns[0]?.bundle;

/** The requests that make a run, before others can ask about it. */
export const preparation: readonly Request[] = [
  { id: 1, method: "load", params: { documents: [...companions, ...documents], mode: "strict" } },
  {
    id: 2,
    method: "start",
    params: {
      loop: "pipeline",
      input: { name: "Ada", tags: ["a"] },
      grant: { grantor: "fuzz", tools: ["builtin:echo", "local.fail"], budget: { toolCalls: 9 } },
      key: "fuzz",
    },
  },
];

/** Requests that are valid as they are, at least one of each method, about that run. */
export const listRequests = (run: string): readonly Request[] => [
  ...preparation,
  { id: 1, method: "hello", params: { protocol: 1 } },
  { id: 2, method: "reset", params: {} },
  { id: 3, method: "load", params: { documents: [...companions, ...documents], mode: "strict" } },
  { id: 4, method: "load", params: { documents: [...documents], mode: "lenient" } },
  { id: 5, method: "list", params: {} },
  { id: 6, method: "get", params: { id: "greet", version: "1.0.0" } },
  {
    id: 7,
    method: "script",
    params: {
      backends: { mock: [{ text: "Hi" }, { text: '{"label":"a","sure":true}' }] },
      tools: { "builtin:echo": [{ echo: true }], "local.fail": [{ throw: "no" }] },
    },
  },
  { id: 8, method: "call", params: { calls } },
  { id: 9, method: "reopen", params: { documents: [...companions, ...documents] } },
  { id: 10, method: "advance", params: { run, once: true } },
  { id: 11, method: "advance", params: { run } },
  { id: 12, method: "tell", params: { run, message: { signal: { name: "hi", payload: [1] } } } },
  { id: 13, method: "tell", params: { run, message: { cancel: true, key: "c" } } },
  {
    id: 14,
    method: "tell",
    params: { run, message: { resolve: { action: "a", resolution: "retry" } } },
  },
  ...["events", "receipts", "project", "replay"].map((method, index) => ({
    id: 15 + index,
    method,
    params: { run },
  })),
  { id: 20, method: "clock", params: { passMs: 1_000, at: "2026-02-03T04:05:06.000Z" } },
  { id: 21, method: "crash", params: { after: "action.claimed", nth: 1 } },
  { id: 22, method: "lose", params: { run, receipt: 1, eventsAfter: 3, snapshot: true } },
  { id: 23, method: "canonicalize", params: { json: '{"b":1,"a":[1.50,"x"]}' } },
  {
    id: 24,
    method: "checkChain",
    params: { run: sealed?.run, after: { sequence: 0, hash: "" }, events: sealed?.events },
  },
  { id: 25, method: "verify", params: { keys: trustedKeys, bundle: sealed } },
  { id: 26, method: "verify", params: { keys: trustedKeys, receipts: sealed?.receipts } },
];
