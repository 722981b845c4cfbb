import type { ModelResult } from "@turnseal/ports";
import { expect, test } from "vitest";
import { promptLoop } from "../call/sample-world.test.data.ts";
import { ANSWER_BYTES_MAX, MODEL_NAME_LENGTH_MAX, TOOL_CALL_ID_LENGTH_MAX } from "../limits.ts";
import { openRun } from "../turn/sample-run.test.data.ts";

const answer: ModelResult = {
  content: [{ kind: "text", text: "yes" }],
  finishReason: "stop",
  usage: { inputTokens: 1, outputTokens: 1 },
};

function ask(result: unknown) {
  const generate = async (): Promise<ModelResult> => result as ModelResult;
  return openRun({
    loops: [promptLoop("ask")],
    model: { defaultModel: "scripted", generate },
  });
}

test("an answer is settled with its usage and its end", async () => {
  const run = ask({ ...answer, answeredBy: "large-2" });
  expect(await run.turn()).toMatchObject({ outcome: "completed", output: { text: "yes" } });
  expect(await run.contents("action.settled")).toMatchObject([
    { status: "ok", inputTokens: 1, outputTokens: 1, finishReason: "stop", answeredBy: "large-2" },
  ]);
});

test.each([
  ["words of what it was sent", "ada lives in Bonn"],
  ["one character more than a name has", "m".repeat(MODEL_NAME_LENGTH_MAX + 1)],
  ["a control character", "m\u001b[2J"],
])("a name with %s is drift, and is not in the log", async (_, answeredBy) => {
  const run = ask({ ...answer, answeredBy });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  const [settled] = await run.contents("action.settled");
  expect(settled).toMatchObject({ drift: true });
  expect(settled).not.toHaveProperty("answeredBy");
});

test("a name of MODEL_NAME_LENGTH_MAX characters is kept", async () => {
  const answeredBy = "m".repeat(MODEL_NAME_LENGTH_MAX);
  const run = ask({ ...answer, answeredBy });
  await run.turn();
  expect(await run.contents("action.settled")).toMatchObject([{ answeredBy, drift: true }]);
});

const callOf = (toolCallId: string): ModelResult => ({
  ...answer,
  content: [{ kind: "tool-call", toolCallId, toolName: "none", input: "{}" }],
});

test("the id of a tool call of TOOL_CALL_ID_LENGTH_MAX characters is taken", async () => {
  for (const id of ["", "c".repeat(TOOL_CALL_ID_LENGTH_MAX)]) {
    const run = ask(callOf(id));
    await run.turn();
    expect((await run.contents("action.settled"))[0]).toMatchObject({ status: "ok" });
  }
});

const broken: readonly [string, unknown][] = [
  ["nothing", undefined],
  ["a text", "yes"],
  ["no content", { ...answer, content: undefined }],
  ["content that is not a list of parts", { ...answer, content: ["yes"] }],
  ["content that is not plain JSON", { ...answer, content: [{ kind: "text", text: () => "yes" }] }],
  ["no usage", { ...answer, usage: undefined }],
  ["usage that is not a count", { ...answer, usage: { inputTokens: -1, outputTokens: 1 } }],
  ["an end that nobody knows", { ...answer, finishReason: "bored" }],
  ["a name that is not one", { ...answer, answeredBy: 7 }],
  ["the id of a call that has a blank", callOf("ada lives in Bonn")],
  ["the id of a call that has a control character", callOf("c\u0000")],
  ["the id of a call that is too long", callOf("c".repeat(TOOL_CALL_ID_LENGTH_MAX + 1))],
];
test.each(broken)("an answer of %s is a failure of the model, and settled", async (_, result) => {
  const run = ask(result);
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BACKEND_FAILED" });
  expect(await run.contents("action.settled")).toMatchObject([{ status: "failed" }]);
});

test("an answer of ANSWER_BYTES_MAX bytes is taken, one more is a failure", async () => {
  const withText = (length: number): ModelResult => ({
    ...answer,
    content: [
      { kind: "reasoning", text: "x".repeat(length) },
      { kind: "text", text: "yes" },
    ],
  });
  const room = ANSWER_BYTES_MAX - JSON.stringify(withText(0)).length;
  expect(await ask(withText(room)).turn()).toMatchObject({ outcome: "completed" });
  expect(await ask(withText(room + 1)).turn()).toMatchObject({ reason: "BACKEND_FAILED" });
});
