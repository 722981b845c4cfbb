import { memoryLiveBus } from "@turnseal/ports";
import { expect, test } from "vitest";
import { askToSave, openChat } from "../read/session/chat.test.data.ts";
import type { LocalHost } from "./local-host.ts";
import type { RunPiece } from "./stream-run.ts";

async function read(host: LocalHost, run: string): Promise<RunPiece[]> {
  const pieces: RunPiece[] = [];
  for await (const piece of host.stream(run)) pieces.push(piece);
  return pieces;
}

const textOf = (pieces: readonly RunPiece[]): string =>
  pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join("");
const save = { toolCalls: [{ tool: "local__save", input: { note: 1 } }] };

test("a stream drives a run, and gives its words in the pieces in which they come", async () => {
  const chat = openChat({ replies: [{ pieces: ["Go", "od ", "day"] }] });
  const pieces = await read(chat.host, await chat.start());
  expect(pieces.map(({ kind }) => kind)).toEqual(["text", "text", "text"]);
  expect(textOf(pieces)).toBe("Good day");
});

test("the bus of the host is used where it has one", async () => {
  const live = memoryLiveBus();
  const chat = openChat({ replies: [{ pieces: ["a", "b"] }], live });
  expect(textOf(await read(chat.host, await chat.start()))).toBe("ab");
});

test("it ends where a person is asked, and goes on from there after the answer", async () => {
  const chat = openChat({ replies: [save, "saved"], policy: askToSave });
  const run = await chat.start();
  const before = await read(chat.host, run);
  expect(before.map(({ kind }) => kind)).toEqual(["tool-call", "approval"]);
  const [request] = await chat.host.requests(run);
  const by = { id: "bob", roles: [] };
  await chat.host.decide(run, request?.id ?? "", { choice: "approve", by });
  const after = await read(chat.host, run);
  expect(after.map(({ kind }) => kind)).toEqual(["tool-call", "tool-result", "text"]);
  expect(textOf(after)).toBe("saved");
  expect(await read(chat.host, run)).toEqual([]);
});

test("a run that is driven already is only told of, whole texts as one piece", async () => {
  const chat = openChat({ replies: [{ pieces: ["Go", "od"] }] });
  const run = await chat.start();
  const driven = chat.host.drive(run);
  const pieces = await read(chat.host, run);
  expect(textOf(pieces)).toBe("Good");
  expect((await driven).dues).toEqual({ kind: "done" });
  expect(chat.model.requests).toHaveLength(1);
});

test("a reader that leaves does not stop the run", async () => {
  const chat = openChat({ replies: [{ pieces: ["a", "b", "c"] }] });
  const run = await chat.start();
  for await (const piece of chat.host.stream(run)) {
    expect(piece).toMatchObject({ kind: "text", text: "a" });
    break;
  }
  expect((await chat.host.drive(run)).dues).toEqual({ kind: "done" });
});

test("a run that there is not gives nothing", async () => {
  expect(await read(openChat().host, "00000000-0000-4000-8000-000000000009")).toEqual([]);
});

test("what the host fails with is thrown to the reader", async () => {
  const chat = openChat();
  const run = await chat.start();
  chat.stores.log.append = () => Promise.reject(new Error("the disk is full"));
  await expect(read(chat.host, run)).rejects.toThrow("the disk is full");
});
