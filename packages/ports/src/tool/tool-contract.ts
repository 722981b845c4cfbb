import { strict as assert } from "node:assert";
import { copyJson, type JsonValue } from "@turnseal/protocol";
import type { ToolContext } from "@turnseal/protocol/authoring";
import { bindContract, type ContractCase, type ContractOptions } from "../contract.ts";
import type { Tool } from "./tool.ts";

interface ToolSubject {
  readonly tool: Tool;
  /** An input that the tool's schema accepts. */
  readonly input: JsonValue;
}

const BYTES_MAX = 1 << 20;

/** The contract of every tool. */
export function toolContract(options: ContractOptions<ToolSubject>): ContractCase[] {
  return bindContract(
    {
      "answers with plain JSON": async ({ tool, input }) => {
        assert.equal(copyJson(await tool(input, createContext()), BYTES_MAX).kind, "copied");
      },
      "does not change its input": async ({ tool, input }) => {
        const before = JSON.stringify(input);
        await tool(input, createContext());
        assert.equal(JSON.stringify(input), before);
      },
      "emits only types that are its to use": async ({ tool, input }) => {
        const context = createContext((type) => assert.match(type, /^[a-z][a-z0-9-]*\./));
        await tool(input, context);
      },
    },
    options,
  );
}

function createContext(emit: (type: string) => void = () => {}): ToolContext {
  return {
    callId: "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d",
    key: "2f1d9a52",
    epoch: 1,
    signal: new AbortController().signal,
    deadlineAt: "2026-01-01T00:00:30.000Z",
    config: {},
    secrets: {},
    onToolOutputDelta: () => {},
    file: () => Promise.reject(new Error("no file can be kept here")),
    readFile: () => Promise.reject(new Error("there is no file here")),
    artifacts: {
      read: async () => ({ kind: "refused", reason: "undeclared" }),
      list: async () => ({ kind: "refused", reason: "undeclared" }),
      digestOf: () => {
        throw new Error("there are no files here");
      },
      write: async () => ({ kind: "refused", reason: "undeclared" }),
      remove: async () => ({ kind: "refused", reason: "undeclared" }),
    },
    log: () => {},
    emit,
  };
}
