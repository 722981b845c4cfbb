import { type LiveBus, type LiveListener, memoryLiveBus } from "@turnseal/ports";
import type { LiveDelta, StreamHandlers } from "@turnseal/protocol/streaming";
import { describe, expect, test } from "vitest";
import { settle } from "../../scenarios/sample-world.test.data.ts";
import { askFor, askToSave, type Chat, openChat } from "./chat.test.data.ts";
import { type DriveOptions, driveHandlers, WAITING_DELTAS_MAX } from "./drive-handlers.ts";

type Told = [string, Record<string, unknown>][];

/** Writes down every callback. */
function record(): { readonly told: Told; readonly handlers: StreamHandlers } {
  const told: Told = [];
  const handlers = new Proxy({} as StreamHandlers, {
    get: (_, name) => async (info: Record<string, unknown>) => {
      // Slow handlers are awaited.
      await settle();
      told.push([String(name), info]);
    },
  });
  return { told, handlers };
}

const names = (told: Told): string[] => told.map(([name]) => name);
const join = (told: Told, name: string): string =>
  told.flatMap(([each, { delta }]) => (each === name ? [String(delta)] : [])).join("");

function drive(chat: Chat, run: string, handlers: StreamHandlers, options: DriveOptions = {}) {
  return driveHandlers(chat, run, handlers, options);
}

test("a text is announced, told in pieces, and told once", async () => {
  const live = memoryLiveBus();
  const chat = { ...openChat({ replies: [{ pieces: ["Go", "od ", "day"] }], live }), live };
  const run = await chat.start();
  const { told, handlers } = record();
  const driving = drive(chat, run, handlers);
  await settle();
  await chat.host.advance(run);
  const result = await driving;
  expect(result).toMatchObject({ status: "done" });
  expect(result?.lastEventId).toBe((await chat.session(run)).at(-1)?.id);
  expect(names(told)).toEqual([
    "onAssistantMessage",
    ...Array.from({ length: 3 }, () => "onAssistantMessageDelta"),
  ]);
  expect(join(told, "onAssistantMessageDelta")).toBe("Good day");
  expect(told[0]?.[1]).toMatchObject({ generationId: `${run}/1` });
});

test("without a bus the log is told, whole texts as one piece", async () => {
  const thought = { kind: "reasoning", text: "hm, hm" } as const;
  const words = { kind: "text", text: "I look" } as const;
  const call = {
    kind: "tool-call",
    toolCallId: "a",
    toolName: "local__look",
    input: "{}",
  } as const;
  const unknown = { ...call, toolCallId: "b", toolName: "local__nope" };
  const chat = openChat({ replies: [{ content: [thought, words, call, unknown] }, "done"] });
  const run = await chat.start();
  await chat.host.advance(run);
  const { told, handlers } = record();
  expect(await drive(chat, run, handlers)).toMatchObject({ status: "done" });
  expect(names(told)).toEqual([
    ...["onReasoningStart", "onReasoningDelta", "onAssistantMessage", "onAssistantMessageDelta"],
    ...["onToolCall", "onToolCall", "onToolResult", "onToolNotFound"],
    ...["onAssistantMessage", "onAssistantMessageDelta"],
  ]);
});

test("an approval is asked for, and the driver may end there and go on later", async () => {
  const chat = openChat({ replies: [askFor(["local__save", 1]), "done"], policy: askToSave });
  const run = await chat.start();
  await chat.host.advance(run);
  const first = record();
  const waiting = await drive(chat, run, first.handlers, { untilWaiting: true });
  expect(waiting?.status).toBe("waiting");
  expect(names(first.told)).toEqual(["onToolCall", "onToolApprovalRequired"]);
  const [request] = await chat.host.requests(run);
  await chat.host.decide(run, request?.id ?? "", {
    ...{ choice: "reject", by: { id: "ada", roles: [] } },
  });
  await chat.host.advance(run);
  const second = record();
  const { lastEventId: after = "" } = waiting ?? {};
  expect(await drive(chat, run, second.handlers, { after })).toMatchObject({ status: "done" });
  expect(second.told.find(([name]) => name === "onToolError")?.[1]).toMatchObject({
    isUserRejection: true,
  });
});

test("whoever looks away is let go, and the run is not touched", async () => {
  const chat = openChat({ replies: ["done"] });
  const run = await chat.start();
  const stop = new AbortController();
  const { told, handlers } = record();
  const driving = drive(chat, run, handlers, { signal: stop.signal });
  await settle();
  stop.abort();
  expect(await driving).toEqual({ status: "stopped" });
  expect(told).toEqual([]);
});

test("a place that is none of the run is refused", async () => {
  const chat = openChat();
  const run = await chat.start();
  expect(await drive(chat, run, record().handlers, { after: "somewhere" })).toBeUndefined();
});

test("a callback that fails ends it, and closes the watch", async () => {
  let isClosed = false;
  const live: LiveBus = {
    ...memoryLiveBus(),
    watch: () => ({
      ready: Promise.resolve(),
      close: () => {
        isClosed = true;
      },
    }),
  };
  const chat = { ...openChat({ replies: ["done"] }), live };
  const run = await chat.start();
  await chat.host.advance(run);
  const onAssistantMessage = () => Promise.reject(new Error("it fails"));
  const handlers = { ...record().handlers, onAssistantMessage } as StreamHandlers;
  await expect(drive(chat, run, handlers)).rejects.toThrow("it fails");
  expect(isClosed).toBe(true);
});

describe("pieces that come", () => {
  /** A run of one answer, and a bus whose pieces the test tells. */
  async function open(text: string) {
    let listener: LiveListener | undefined;
    const live: LiveBus = {
      ...memoryLiveBus(),
      watch: (_, given) => {
        listener = given;
        return { ready: Promise.resolve(), close: () => {} };
      },
    };
    const chat = { ...openChat({ replies: [text] }), live };
    const run = await chat.start();
    // The key of another worker's answer can be computed beforehand.
    const twin = openChat({ replies: [text] });
    await twin.host.advance(await twin.start());
    const key = (await twin.session(run)).at(-1)?.message?.split(".")[0] ?? "";
    const { told, handlers } = record();
    const driving = drive(chat, run, handlers);
    await settle();
    const push = (offset: number, piece: string, epoch = 1): void => {
      const delta: LiveDelta = {
        ...{ run, turn: 1, kind: "text", key, part: 0, epoch, offset, text: piece },
      };
      listener?.delta(delta);
    };
    const tell = async (...given: Parameters<typeof push>): Promise<void> => {
      push(...given);
      for (let wait = 0; wait < 5; wait++) await settle();
    };
    const end = async (): Promise<string> => {
      await chat.host.advance(run);
      listener?.moved();
      await driving;
      const last = told.findLastIndex(([name]) => name === "onAssistantMessage");
      return join(told.slice(last), "onAssistantMessageDelta");
    };
    return { told, push, tell, end };
  }

  test("twice are told once", async () => {
    const { told, tell, end } = await open("Good day");
    await tell(0, "Good");
    await tell(0, "Good");
    await tell(2, "od d");
    expect(join(told, "onAssistantMessageDelta")).toBe("Good d");
    expect(await end()).toBe("Good day");
    expect(names(told).filter((name) => name === "onAssistantMessage")).toHaveLength(1);
  });

  test("with a gap wait for the whole text", async () => {
    const { told, tell, end } = await open("Good day");
    await tell(0, "Go");
    await tell(5, "day");
    expect(join(told, "onAssistantMessageDelta")).toBe("Go");
    expect(await end()).toBe("Good day");
  });

  test("from a new attempt begin again, and those of the old one are void", async () => {
    const { told, tell, end } = await open("Good day");
    await tell(0, "Bad", 1);
    await tell(0, "Good", 2);
    await tell(3, " night", 1);
    expect(names(told).filter((name) => name === "onAssistantMessage")).toHaveLength(2);
    expect(await end()).toBe("Good day");
  });

  test("from an attempt that came to nothing are replaced by the text of the log", async () => {
    const { told, tell, end } = await open("Good day");
    await tell(0, "Bad", 1);
    expect(await end()).toBe("Good day");
    expect(names(told).filter((name) => name === "onAssistantMessage")).toHaveLength(2);
  });

  test("beyond WAITING_DELTAS_MAX are left out, and the text is whole all the same", async () => {
    const text = "x".repeat(WAITING_DELTAS_MAX + 1);
    const { told, push, end } = await open(text);
    for (let offset = 0; offset < text.length; offset++) push(offset, "x");
    while (told.length < WAITING_DELTAS_MAX + 1) await settle();
    await settle();
    expect(join(told, "onAssistantMessageDelta")).toHaveLength(WAITING_DELTAS_MAX);
    expect(await end()).toBe(text);
  });
});
