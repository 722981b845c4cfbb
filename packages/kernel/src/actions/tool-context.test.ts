import type { ToolContext } from "@turnseal/protocol/authoring";
import { LOG_EVENT_TYPES, VENDOR_TYPE_LENGTH_MAX } from "@turnseal/protocol/trace";
import { expect, test } from "vitest";
import { openWorld, type SampleCall, toolLoop, typesOf } from "../call/sample-world.test.data.ts";
import { LOG_LENGTH_MAX, PAYLOAD_BYTES_MAX } from "../limits.ts";
import { EVENT_ERROR_CODES, EventError } from "./tool-context.ts";

/** Runs a tool that uses its context, and answers with its call. */
const useContext = (use: (context: ToolContext) => void): Promise<SampleCall> =>
  openWorld({
    loops: [toolLoop("speak")],
    tools: {
      speak: (_, context) => {
        use(context);
        return null;
      },
    },
  }).call("speak");

const refused = (use: () => void): void =>
  expect(use).toThrow(expect.objectContaining({ code: "EVENT_REFUSED", retry: "never" }));

test("a log line is recorded where it was written, its text apart from the facts", async () => {
  const call = await useContext(({ log }) => {
    log("debug", "one");
    log("error", "two");
  });
  expect(typesOf(call).slice(2, 6)).toEqual([
    "call.tool.invoked",
    "log",
    "log",
    "call.tool.returned",
  ]);
  expect(call.result.trace[3]?.payload).toEqual({ level: "debug", message: "one" });
  expect(call.events[4]).toMatchObject({
    type: "log",
    content: { level: "error" },
    attached: { message: "two" },
  });
});

test("a log line without a known level or a text is refused", async () => {
  await useContext(({ log }) => {
    for (const level of ["fatal", "", "constructor", undefined]) {
      refused(() => log(level as never, "text"));
    }
    for (const message of [undefined, 7, { toString: () => "x" }, null]) {
      refused(() => log("info", message as never));
    }
  });
});

test("a log line is kept up to LOG_LENGTH_MAX, and cut beyond it", async () => {
  const call = await useContext(({ log }) => {
    log("info", "x".repeat(LOG_LENGTH_MAX));
    log("info", "x".repeat(LOG_LENGTH_MAX + 1));
    // The cut would leave half of a pair.
    log("info", `${"x".repeat(LOG_LENGTH_MAX - 1)}💡`);
  });
  const messages = call.events.flatMap(({ attached }) => attached?.["message"] ?? []);
  expect(messages.map((message) => String(message).length)).toEqual(Array(3).fill(LOG_LENGTH_MAX));
  expect(String(messages[2]).isWellFormed()).toBe(true);
});

test("a vendor's event is recorded with its payload apart from the facts", async () => {
  const payload = { done: 3, of: [{ total: 4 }] };
  const call = await useContext(({ emit }) => {
    emit("acme.progress", payload);
    emit("acme.tools.ended");
    payload.of.length = 0;
  });
  expect(call.events[3]).toMatchObject({
    type: "acme.progress",
    content: {},
    attached: { done: 3, of: [{ total: 4 }] },
  });
  expect(call.result.trace[4]).toMatchObject({ type: "acme.tools.ended", payload: {} });
});

test("a type of ours, or one that is no vendor's, is refused and leaves nothing", async () => {
  const types = [
    ...LOG_EVENT_TYPES,
    ...["call.anything", "graph.changed", "turnseal.internal", "progress", "Acme.progress"],
    ...["acme.", ".progress", "acme..progress", "acme.pro gress", "", "__proto__.a", "acme.\ud800"],
    `acme.${"x".repeat(VENDOR_TYPE_LENGTH_MAX)}`,
  ];
  const call = await useContext(({ emit }) => {
    for (const type of types) refused(() => emit(type));
    for (const type of [undefined, 7, { toString: () => "acme.a", split: () => ["acme"] }]) {
      refused(() => emit(type as never));
    }
  });
  expect(call.events).toHaveLength(6);
});

test("a payload fits up to PAYLOAD_BYTES_MAX, and is refused beyond it", async () => {
  const brackets = '{"text":""}'.length;
  const call = await useContext(({ emit }) => {
    emit("acme.large", { text: "x".repeat(PAYLOAD_BYTES_MAX - brackets) });
    refused(() => emit("acme.large", { text: "x".repeat(PAYLOAD_BYTES_MAX - brackets + 1) }));
  });
  expect(typesOf(call).filter((type) => type === "acme.large")).toHaveLength(1);
});

test("a payload that is no plain object is refused", async () => {
  await useContext(({ emit }) => {
    for (const payload of [null, [], "text", new Date(0), { run: () => 1 }, { big: 1n }]) {
      refused(() => emit("acme.odd", payload as never));
    }
  });
});

test("what a tool says after it answered is not heard", async () => {
  let kept: ToolContext | undefined;
  const call = await useContext((context) => {
    kept = context;
  });
  kept?.log("info", "too late");
  kept?.emit("acme.late", { a: 1 });
  // It is not even looked at, since nobody waits for the tool any more.
  kept?.emit("call.completed");
  expect(call.events).toHaveLength(6);
  expect(call.result.trace).toHaveLength(6);
});

test("a tool that ignores the refusal of its event goes on, one that does not fails", async () => {
  const careful = await useContext(({ emit }) => {
    expect(() => emit("log")).toThrow(EventError);
  });
  expect(careful.result.status).toBe("ok");
  const careless = await useContext(({ emit }) => emit("call.completed"));
  expect(careless.result).toMatchObject({ status: "error", error: { code: "TOOL_FAILED" } });
  expect(typesOf(careless).at(-1)).toBe("call.errored");
});

test("every code of an event error can be carried by one", () => {
  for (const code of EVENT_ERROR_CODES) {
    expect(new EventError(code, "no")).toMatchObject({ code, name: "EventError" });
  }
});
