// Limits of one answer, one result or one file: it can neither end a conversation nor repeat an
// action.
import type { ScriptedReply, Stores } from "@turnseal/ports";
import { describe, expect, test } from "vitest";
import { callLook, openChat, type Refusal, replayOf } from "./thread-chat.test.data.ts";

describe.each([false, true])("cold %s", (isCold) => {
  test("a request that is refused after a tool has acted names the tool", async () => {
    const answer = (lines: readonly string[]): ScriptedReply | Refusal | undefined =>
      lines.some((line) => line.startsWith("tool:")) ? { refusal: "no such picture" } : undefined;
    const chat = openChat({ replies: [callLook, "done"], isCold, answer });
    await chat.start();
    expect(chat.sent().at(-1)).toEqual([
      "system: Be brief.",
      "user: [3 earlier entries of this conversation were left out to make room. " +
        "In them these tools were called: local__look.]",
      "user: one",
    ]);
    expect(new Set(await replayOf(chat.world()))).toEqual(new Set(["identical"]));
  });

  test("what led to an answer that was withheld is not shown again", async () => {
    const answer = (lines: readonly string[]): ScriptedReply => {
      if (lines.some((line) => line.includes("bad")))
        return { content: [], finishReason: "content-filter" };
      return lines.some((line) => line.includes("left out")) ? "fine" : callLook;
    };
    const run = (): unknown => ({ bad: true });
    const chat = openChat({ replies: [], isCold, answer, run, bounds: { failuresMax: 3 } });
    await chat.start();
    const closed = await chat.world().contents("turn.closed");
    expect(closed.map(({ outcome }) => outcome)).toEqual(["failed", "completed"]);
    expect(chat.sent().at(-1)?.slice(-1)).toEqual(["user: one"]);
    expect(chat.sent().at(-1)?.join(" ")).not.toContain("bad");
    expect(new Set(await replayOf(chat.world()))).toEqual(new Set(["identical"]));
  });

  test("results of calls that share an id have each the name of their own call", async () => {
    const twice: ScriptedReply = {
      content: ["local__look", "local__other"].map((toolName) => ({
        ...{ kind: "tool-call" as const, toolCallId: "c", toolName, input: "{}" },
      })),
      finishReason: "tool-calls",
    };
    const chat = openChat({ replies: [twice, "first", "second"], isCold });
    await chat.start();
    await chat.say("two");
    const names = chat
      .messages()
      .at(-1)
      ?.flatMap((message) => (message.role === "tool" ? [message.toolName] : []));
    expect(names).toEqual(["local__look", "local__other"]);
  });
});

test("content that was exchanged in the store is not sent", async () => {
  const chat = openChat({ replies: ["first", "second"], isCold: true });
  await chat.start();
  const exchange = (stores: Stores): Stores => ({
    ...stores,
    blobs: {
      ...stores.blobs,
      read: async (run, digest) => {
        const bytes = await stores.blobs.read(run, digest);
        const text = new TextDecoder().decode(bytes ?? new Uint8Array());
        return text === '"one"' ? new TextEncoder().encode('"two"') : bytes;
      },
    },
  });
  chat.see(exchange);
  await chat.say("more");
  expect(chat.sent()).toHaveLength(1);
  expect(await chat.world().contents("run.blocked")).toMatchObject([
    { cause: "error", what: "LOG_CONTENT_CHANGED" },
  ]);
});
