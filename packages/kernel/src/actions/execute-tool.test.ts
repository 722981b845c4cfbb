// The secrets a tool gets, and how its output is redacted.
import {
  manualClock,
  memorySecrets,
  memorySink,
  SECRET_BYTES_MAX,
  SECRET_BYTES_MIN,
  type Secrets,
  seededIds,
  type Tool,
} from "@turnseal/ports";
import { ToolError } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { createExecutor } from "../call/executor.ts";
import { toolLoop } from "../call/sample-world.test.data.ts";
import { PROBLEM_LENGTH_MAX, TOOL_SECRETS_MAX } from "../limits.ts";
import { createRegistry } from "../registry/registry.ts";
import { bindTools } from "./bind-tools.ts";
import { reconcileTool } from "./execute-tool.ts";
import { REDACTED } from "./mark-secrets.ts";

const KEY = "sk-live-51Hq8/+Zt9";

interface Setting {
  readonly run: Tool;
  readonly names?: readonly string[];
  readonly secrets?: Secrets;
}

async function execute({ run, names = ["PAY_KEY"], secrets }: Setting) {
  const registry = createRegistry();
  registry.register(toolLoop("speak"));
  const { sink, events } = memorySink();
  const executor = createExecutor({
    ...{ registry, clock: manualClock(), ids: seededIds("secrets") },
    tools: bindTools({ "local.speak": { run, secrets: names } }),
    secrets: secrets ?? memorySecrets({ PAY_KEY: KEY, OTHER: "another-secret" }),
  });
  const result = await executor.call("speak", {}, { sink });
  const reason = result.status === "error" ? result.error.reason : undefined;
  return { result, reason, told: JSON.stringify([result, events]) };
}

describe("a tool that declares a secret", () => {
  test("is given that one, and no other", async () => {
    let given: unknown;
    await execute({
      run: (_, { secrets }) => {
        given = secrets;
        expect(Object.isFrozen(secrets)).toBe(true);
        return null;
      },
    });
    expect(given).toEqual({ PAY_KEY: KEY });
  });

  test("one that declares none is given none", async () => {
    let given: unknown;
    const run: Tool = (_, { secrets }) => {
      given = secrets;
      return KEY;
    };
    const { result } = await execute({ run, names: [] });
    expect(given).toEqual({});
    expect(result).toMatchObject({ status: "ok", output: KEY });
  });

  test.each<[string, Tool]>([
    ["its result", () => ({ [KEY]: [`Bearer ${KEY}`, Buffer.from(KEY).toString("base64")] })],
    ["what it throws", () => Promise.reject(new Error(`401 for ${KEY}`))],
    ["what it throws that is no error", () => Promise.reject(`401 for ${KEY}`)],
    ["what it says of an error", () => Promise.reject(new ToolError("TOOL_UNAVAILABLE", KEY))],
    ["a result that is refused", () => ({ [KEY]: () => {} })],
    [
      "a log line",
      (_, { log }) => {
        log("info", `calling with ${encodeURIComponent(KEY)}`);
        return REDACTED;
      },
    ],
    [
      "an event of its own",
      (_, { emit }) => {
        emit("acme.http.sent", { header: { authorization: KEY } });
        return REDACTED;
      },
    ],
  ])("%s is kept without it", async (_, run) => {
    const { told } = await execute({ run });
    expect(told).toContain(REDACTED);
    expect(told).not.toContain(KEY.slice(0, 10));
    expect(told).not.toContain(Buffer.from(KEY).toString("base64").slice(4, 18));
  });

  test("the type of an event may not spell it", async () => {
    const secrets = memorySecrets({ PAY_KEY: "abcdefghijkl" });
    const run: Tool = (_, { emit }) => emit("acme.abcdefghijkl");
    const { reason, told } = await execute({ run, secrets });
    expect(reason).toMatch(/not in a namespace of the tool's own/);
    expect(told).not.toContain("abcdefgh");
  });

  test("an error keeps its code and its advice", async () => {
    const { reason } = await execute({
      run: () => Promise.reject(new ToolError("TOOL_UNAVAILABLE", `busy, ${KEY}`)),
    });
    expect(reason).toBe(`busy, ${REDACTED}`);
  });

  test("an error that cannot be read says nothing", async () => {
    const hostile = {
      toString: () => {
        throw new Error(KEY);
      },
    };
    const { told, reason } = await execute({ run: () => Promise.reject(hostile) });
    expect(reason).toBe("");
    expect(told).not.toContain(KEY);
  });

  test("what it says of an earlier attempt is kept without it", async () => {
    const reconcile = () => ({ kind: "happened" as const, result: { with: KEY } });
    const tool = { run: () => null, effect: "reconcile" as const, build: "1", reconcile };
    const secrets = memorySecrets({ PAY_KEY: KEY });
    const asked: Parameters<typeof reconcileTool>[1] = ["key", { epoch: 2 }];
    expect(await reconcileTool({ ...tool, secrets: ["PAY_KEY"] }, asked, secrets)).toEqual({
      kind: "happened",
      result: { with: REDACTED },
    });
    expect(await reconcileTool(tool, asked, secrets)).toEqual(reconcile());
  });
});

describe("a tool whose secret cannot be given is not executed", () => {
  const failing: Secrets = { read: () => Promise.reject(new Error(`vault says ${KEY}`)) };
  const ofLength = (bytes: number): Secrets => memorySecrets({ PAY_KEY: "k".repeat(bytes) });

  test.each<[string, Partial<Setting>, RegExp]>([
    ["it is not there", { secrets: memorySecrets() }, /^the secret PAY_KEY is not there$/],
    ["it is empty", { secrets: memorySecrets({ PAY_KEY: "" }) }, /is not there$/],
    ["it cannot be read", { secrets: failing }, /^the secret PAY_KEY cannot be read$/],
    ["it is too short to hide", { secrets: ofLength(SECRET_BYTES_MIN - 1) }, /is no text of 8 to/],
    ["it is too long", { secrets: ofLength(SECRET_BYTES_MAX + 1) }, /is no text of 8 to/],
    ["it is half a letter", { secrets: memorySecrets({ PAY_KEY: "\ud800".repeat(9) }) }, /no text/],
    ["it is no text", { secrets: { read: async () => 12345678 as never } }, /is no text/],
    ["one of two is missing", { names: ["PAY_KEY", "NONE"] }, /^the secret NONE is not there$/],
    ["it declares too many", { names: namesOf(TOOL_SECRETS_MAX + 1) }, /at most 16 secrets/],
  ])("%s", async (_, setting, words) => {
    let isExecuted = false;
    const run: Tool = () => {
      isExecuted = true;
      return null;
    };
    const { result, reason, told } = await execute({ run, ...setting });
    expect(result).toMatchObject({ status: "error", error: { code: "TOOL_FAILED" } });
    expect(reason).toMatch(words);
    expect(isExecuted).toBe(false);
    expect(told).not.toContain(KEY);
  });

  test.each([
    ["the shortest", { secrets: ofLength(SECRET_BYTES_MIN) }],
    ["the longest", { secrets: ofLength(SECRET_BYTES_MAX) }],
    [
      "as many as may be",
      {
        names: namesOf(TOOL_SECRETS_MAX),
        secrets: { read: async (name: string) => `secret of ${name}` },
      },
    ],
  ])("its twin with %s is", async (_, setting) => {
    const { result } = await execute({ run: () => null, ...setting });
    expect(result.status).toBe("ok");
  });
});

function namesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `KEY_${index}`);
}

test.each([
  ["as long as a problem may be is told whole", 0],
  ["longer by one is cut", 1],
])("the path to what is not plain JSON %s", async (_, more) => {
  const words = " is of type bigint";
  const name = "n".repeat(PROBLEM_LENGTH_MAX - words.length - 1 + more);
  const { result } = await execute({ run: () => ({ [name]: 1n }), names: [] });
  const problem = `/${name}${words}`.slice(0, PROBLEM_LENGTH_MAX);
  expect(result).toMatchObject({ error: { details: { problems: [problem] } } });
});
