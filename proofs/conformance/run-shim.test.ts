import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { uuidFrom } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { runShim } from "./run-shim.ts";

const echo = {
  id: "echo",
  name: "Echo",
  version: "1.0.0",
  inputSchema: { type: "object" },
  outputSchema: { type: "object" },
  kind: "tool",
  tool: { implementation: "test.echo" },
};

/** Sends the lines and answers with what came back, parsed. */
async function exchange(...lines: (object | string)[]): Promise<unknown[]> {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  for (const line of lines) {
    stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  }
  stdin.end();
  await runShim(stdin, stdout);
  stdout.end();
  return (await text(stdout))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

const load = { id: 1, method: "load", params: { documents: [echo], mode: "strict" } };

describe("runShim", () => {
  test("says who it is", async () => {
    expect(await exchange({ id: 7, method: "hello", params: { protocol: 1 } })).toEqual([
      {
        id: 7,
        result: {
          name: "turnseal",
          version: expect.stringMatching(/^\d+\.\d+\.\d+/),
          protocol: 1,
          profiles: ["lsem", "log", "governed", "session", "context", "flow", "graph"],
        },
      },
    ]);
  });

  test("answers what it cannot serve with an error, and goes on", async () => {
    const answers = await exchange(
      "nonsense",
      "[1]",
      { id: 1, method: "dance" },
      { id: 2, method: "constructor" },
      { id: 3, method: "load", params: { documents: [echo] } },
      { id: 4, method: { toString: 1, valueOf: 1 } },
      { id: 5 },
      { id: 6, method: "list", params: {} },
    );
    expect(answers).toEqual([
      { id: null, error: { message: "the line is no request" } },
      { id: null, error: { message: "the line is no request" } },
      { id: 1, error: { message: "no method is called dance" } },
      { id: 2, error: { message: "no method is called constructor" } },
      { id: 3, error: { message: "load.mode must be one of strict, lenient" } },
      { id: 4, error: { message: "the method is no text" } },
      { id: 5, error: { message: "the method is no text" } },
      { id: 6, result: { loops: [] } },
    ]);
  });

  test("reports what a tool was given and refused, of the last request only", async () => {
    const actions = [{ emit: { type: "call.completed" } }, { setInput: { a: 9 } }, { echo: true }];
    const call = { method: "call", params: { calls: [{ loop: "echo", input: { a: 1 } }] } };
    const [, , , second] = await exchange(
      load,
      { id: 2, method: "script", params: { tools: { "test.echo": actions } } },
      { id: 3, ...call },
      { id: 4, ...call },
    );
    expect(second).toMatchObject({
      result: {
        calls: [{ result: { status: "ok", output: { a: 9 } }, inputAfter: { a: 1 } }],
        backendRequests: [],
        toolCalls: [{ tool: "test.echo", input: { a: 1 }, refused: ["call.completed"] }],
      },
    });
  });

  test("fails a request that its backend has no reply for", async () => {
    const ask = {
      ...echo,
      kind: "prompt",
      tool: undefined,
      prompt: { template: "Hi", variables: [] },
      backend: { id: "test" },
    };
    const call = { method: "call", params: { calls: [{ loop: "echo", input: {} }] } };
    const [, , first, second] = await exchange(
      { ...load, params: { documents: [ask], mode: "strict" } },
      { id: 2, method: "script", params: { backends: { test: [{ text: "Ho" }] } } },
      { id: 3, ...call },
      { id: 4, ...call },
    );
    expect(first).toMatchObject({ result: { calls: [{ result: { output: { text: "Ho" } } }] } });
    expect(second).toMatchObject({
      result: { calls: [{ result: { error: { code: "BACKEND_FAILED" } } }] },
    });
  });

  test("carries a run, and forgets it at a reset", async () => {
    const grant = { grantor: "ada", tools: ["test.echo"], budget: {} };
    const started = { loop: "echo", input: { a: 1 }, grant, key: "one" };
    const script = { tools: { "test.echo": [{ echo: true }] } };
    const [, , start, again] = await exchange(
      load,
      { id: 2, method: "script", params: script },
      { id: 3, method: "start", params: started },
      { id: 4, method: "start", params: { ...started, input: { a: 2 } } },
    );
    expect(again).toEqual({ id: 4, result: { kind: "refused", code: "RUN_CONFLICT" } });
    const { run } = (start as { readonly result: { readonly run: string } }).result;
    const advance = { method: "advance", params: { run } };
    const answers = await exchange(
      load,
      { id: 2, method: "script", params: script },
      { id: 3, method: "start", params: started },
      { id: 4, ...advance },
      { id: 5, method: "reset", params: {} },
      { id: 6, ...advance },
    );
    expect(answers[3]).toMatchObject({
      result: { due: "done", stopped: "goal-reached", output: { a: 1 }, toolCalls: [{}] },
    });
    expect(answers[5]).toMatchObject({ result: { due: "wait", turns: 0, toolCalls: [] } });
  });

  test("keeps a run across a restart in a file, and else in memory", async () => {
    const grant = { grantor: "ada", tools: ["test.echo"], budget: {} };
    for (const reset of [{}, { durable: true }]) {
      const answers = await exchange(
        { id: 1, method: "reset", params: reset },
        load,
        { id: 2, method: "script", params: { tools: { "test.echo": [{ echo: true }] } } },
        { id: 3, method: "start", params: { loop: "echo", input: {}, grant, key: "one" } },
        { id: 4, method: "reopen", params: {} },
        { id: 5, method: "advance", params: { run: uuidFrom("local\none") } },
      );
      expect(answers[3]).toMatchObject({ result: { kind: "started" } });
      expect(answers[5]).toMatchObject({ result: { due: "done", stopped: "goal-reached" } });
    }
  });

  test("forgets documents and scripts at a reset", async () => {
    const [, , listed, called] = await exchange(
      load,
      { id: 2, method: "reset", params: {} },
      { id: 3, method: "list", params: {} },
      { id: 4, method: "call", params: { calls: [{ loop: "echo", input: {} }] } },
    );
    expect(listed).toEqual({ id: 3, result: { loops: [] } });
    expect(called).toMatchObject({
      result: { calls: [{ result: { error: { code: "LOOP_NOT_FOUND" } } }] },
    });
  });
});
