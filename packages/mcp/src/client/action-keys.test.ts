/** The key of an action reaches the server, and other arguments that the model does not choose. */
import type { LoopEvent } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { openFixture, openRuns, openTools, type Place } from "./fixture/open-server.test.data.ts";

const provided = { tenant: "acme" };
const pay = (settings: object) => ({ tools: { pay: { provided, ...settings } } });

const keyOf = (claim: LoopEvent | undefined): unknown =>
  (Object(claim?.content) as { readonly key?: unknown }).key;

describe("the action key", () => {
  test("is an argument that the model neither sees nor chooses", async () => {
    const { config, acts } = await openFixture("plain");
    const { tools } = await openTools({ ...config, ...pay({ key: "args.idempotencyKey" }) });
    const loop = tools.tools.get("pay");
    expect(loop?.definition.inputSchema).toEqual({
      type: "object",
      properties: { text: { type: "string" }, tenant: false, idempotencyKey: false },
      required: ["text"],
    });
    expect(loop?.declared).toMatchObject({ effect: "idempotent" });
    const { events } = await openRuns(tools).call("pay", { text: "a" });
    const [claim] = events.filter(({ type }) => type === "action.claimed");
    const key = keyOf(claim);
    expect(acts()).toMatchObject([{ args: { text: "a", tenant: "acme", idempotencyKey: key } }]);
  });

  test.each(["tenant", "idempotencyKey"])("refuses a call that gives %s itself", async (name) => {
    const { config, acts } = await openFixture("plain");
    const { tools } = await openTools({ ...config, ...pay({ key: "args.idempotencyKey" }) });
    const outcome = await openRuns(tools).call("pay", { text: "a", [name]: "of the model" });
    expect(outcome).toMatchObject({ status: "stopped", isClaimed: false });
    expect(acts()).toEqual([]);
  });

  test.each<[string, Place, string]>([
    ["meta:com.example/key", { transport: "stdio" }, "meta"],
    ["meta:com.example/key", { transport: "http", era: "modern" }, "meta"],
    ["header:Idempotency-Key", { transport: "http" }, "header"],
    ["header:Idempotency-Key", { transport: "http", era: "modern" }, "header"],
  ])("stands at %s", async (key, place, where) => {
    const { config, acts } = await openFixture("plain", place);
    const { tools } = await openTools({ ...config, tools: { send: { key } } });
    const { events } = await openRuns(tools).call("send", { text: "a" });
    const [claim] = events.filter(({ type }) => type === "action.claimed");
    const claimed = keyOf(claim);
    const [act] = acts();
    const meta = act?.["meta"] as Record<string, unknown>;
    expect(where === "header" ? act?.["key"] : meta["com.example/key"]).toBe(claimed);
  });

  test("is the same when the server died after it acted, and the call is made again", async () => {
    const { config, acts } = await openFixture("die-after");
    const settings = pay({ key: "args.idempotencyKey" });
    const { tools } = await openTools({ ...config, ...settings });
    const outcome = await openRuns(tools).call("pay", { text: "a" });
    const keys = acts().map(({ args }) => (args as Record<string, unknown>)["idempotencyKey"]);
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
    expect(outcome.status).not.toBe("completed");
  });

  test("without one, a call that broke is made once, and a person is asked", async () => {
    const { config, acts } = await openFixture("die-after");
    const { tools } = await openTools(config);
    expect(await openRuns(tools).call("send", { text: "a" })).toMatchObject({
      ...{ status: "waiting", isUnknown: true },
    });
    expect(acts()).toHaveLength(1);
  });

  test.each([
    ["args.nothing", "no argument `nothing`"],
    ["args.__proto__", "neither"],
    ["header:Authorization", "neither"],
    ["header:Mcp-Session-Id", "neither"],
    ["meta:io.modelcontextprotocol/protocolVersion", "neither"],
    ["meta:progressToken", "neither"],
    ["body.key", "neither"],
  ])("at %s is refused", async (key, why) => {
    const { config } = await openFixture("plain", { transport: "http" });
    const opened = openTools({ ...config, tools: { send: { key } } }).then(
      ({ tools }) => tools.refused.map((one) => one.why).join(),
      (error: unknown) => String(error),
    );
    expect(await opened).toContain(why === "neither" ? "setting" : why);
  });

  test("in a header is refused for a program", async () => {
    const { config } = await openFixture("plain");
    const settings = { tools: { send: { key: "header:Idempotency-Key" } } };
    await expect(openTools({ ...config, ...settings })).rejects.toThrow("no headers");
  });
});

describe("the effect of a tool", () => {
  const effectOf = async (tool: string, settings: object) => {
    const { config } = await openFixture("plain");
    const { tools } = await openTools({ ...config, ...settings });
    return tools.tools.get(tool)?.declared?.effect;
  };
  test("is once, whatever the server says, unless its operator trusts it", async () => {
    expect(await effectOf("peek", {})).toBe("once");
    expect(await effectOf("peek", { trust: "annotations" })).toBe("read");
    expect(await effectOf("send", { trust: "annotations" })).toBe("once");
    expect(await effectOf("send", { tools: { send: { effect: "read" } } })).toBe("read");
    const keyed = { key: "meta:com.example/key", effect: "once" };
    expect(await effectOf("send", { tools: { send: keyed } })).toBe("once");
  });

  test("a tool that is not offered is no loop, and settings of no tool are refused", async () => {
    const { config } = await openFixture("plain");
    const settings = { tools: { send: { offered: false }, sned: { effect: "read" as const } } };
    const { tools } = await openTools({ ...config, ...settings });
    expect([...tools.tools.keys()]).toEqual(["pay", "peek", "sum"]);
    expect(tools.refused).toEqual([{ name: "sned", why: expect.stringContaining("no such tool") }]);
  });
});
