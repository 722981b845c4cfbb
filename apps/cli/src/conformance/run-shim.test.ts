import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { readWritten } from "../read-written.test.data.ts";
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
  return readWritten(stdout)
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
          profiles: ["lsem"],
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
      { id: 4, method: "list", params: {} },
    );
    expect(answers).toEqual([
      { id: null, error: { message: "the line is no request" } },
      { id: null, error: { message: "the line is no request" } },
      { id: 1, error: { message: "no method is called dance" } },
      { id: 2, error: { message: "no method is called constructor" } },
      { id: 3, error: { message: "load.mode must be one of strict, lenient" } },
      { id: 4, result: { loops: [] } },
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
