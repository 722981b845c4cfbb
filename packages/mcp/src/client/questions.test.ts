// Servers that need input in the middle of a call: a person answers, however long that takes.
import { describe, expect, test } from "vitest";
import {
  openFixture,
  openRuns,
  openTools,
  type Place,
  toolsOf,
} from "./fixture/open-server.test.data.ts";

const PLACES: readonly Place[] = [
  { transport: "stdio", era: "modern" },
  { transport: "http", era: "modern" },
];
const ACCEPTED = { from: { action: "accept", content: { account: "A-1" } } };
const ada = { id: "ada", roles: [] };

async function openCall(mode: string, place: Place) {
  const fixture = await openFixture(mode, place);
  const { pin, tools } = await openTools(fixture.config);
  const runs = openRuns(tools);
  const send = runs.findLoop("send");
  const host = runs.openHost();
  const grant = { grantor: "ada", tools: ["mcp.bank.send"], budget: {} };
  const asked = await host.run(send, { text: "700" } as never, { grant });
  return { ...fixture, pin, runs, send, asked, host };
}

describe.each(PLACES)("a server of the protocol of 2026 over $transport", (place) => {
  test("asks a person, and gets the answer and its state after a restart", async () => {
    const { acts, asked, config, pin, runs, send } = await openCall("needs", place);
    expect(asked.status).toBe("waiting");
    expect(acts()).toEqual([]);
    const [request] = asked.requests;
    expect(request).toMatchObject({ kind: "question", loop: "mcp.bank.send" });
    expect(JSON.stringify(request)).toContain("From which account?");
    expect(JSON.stringify(request)).not.toContain("state of the bank");
    // Another process: neither the connection nor the server of before is there.
    const other = toolsOf("bank", config, pin);
    const host = openRuns(other, {}, runs.stores).openHost();
    await host.answer(asked.run, request?.id ?? "", { answer: ACCEPTED, by: ada });
    const ended = await host.resume(send, asked.run);
    expect(ended).toMatchObject({ status: "completed", output: { parts: [{ text: "paid" }] } });
    expect(acts()).toMatchObject([
      {
        ...{ name: "send", args: { text: "700" }, inputResponses: ACCEPTED },
        requestState: "state of the bank \u00e9 \u0001",
      },
    ]);
  });

  test.each([
    ["declines", { from: { action: "decline" } }],
    ["cancels", { from: { action: "cancel" } }],
  ])("hears of a person who %s", async (_, answer) => {
    const { acts, asked, host, send } = await openCall("needs", place);
    await host.answer(asked.run, asked.requests[0]?.id ?? "", { answer, by: ada });
    expect(await host.resume(send, asked.run)).toMatchObject({ status: "completed" });
    expect(acts()).toMatchObject([{ inputResponses: answer }]);
  });

  test.each([
    ["without the form", { from: { action: "accept" } }],
    ["with a form that is wrong", { from: { action: "accept", content: { account: 7 } } }],
    ["with a form and a no", { from: { action: "decline", content: { account: "A" } } }],
    ["to another question", { to: { action: "decline" } }],
    ["with more than was asked", { ...ACCEPTED, more: { action: "decline" } }],
  ])("gets no answer %s", async (_, answer) => {
    const { acts, asked, host } = await openCall("needs", place);
    const said = host.answer(asked.run, asked.requests[0]?.id ?? "", { answer, by: ada });
    await expect(said).rejects.toThrow("does not fit the question of mcp.bank.send");
    expect(acts()).toEqual([]);
  });

  test.each([
    ["needs-model", "a request to a model is not granted"],
    ["needs-folders", "a list of folders is not granted"],
    ["needs-page", "only a form"],
    ["needs-hidden", "hidden characters"],
    ["needs-network", "cannot be asked"],
    // INPUT_REQUESTS_MAX is 8, INPUT_MESSAGE_LENGTH_MAX 200, and INPUT_NAME_LENGTH_MAX 64.
    ["needs-much", "more than 8 questions"],
    ["needs-long", "cannot be read"],
    ["needs-long-name", "a name that is too long"],
    ["needs-nothing", "has no question"],
  ])("that %s is refused, and nobody is asked", async (mode, words) => {
    const { acts, config } = await openFixture(mode, place);
    const { tools } = await openTools(config);
    const outcome = await openRuns(tools).call("send", { text: "700" });
    expect(outcome).toMatchObject({ status: "stopped", requests: [], isUnknown: false });
    expect(outcome.words).toContain(words);
    expect(acts()).toEqual([]);
  });
});

describe("a program that sends messages without being asked", () => {
  test.each(["answers-flood", "pings-flood"])("past UNASKED_MESSAGES_MAX: %s", async (mode) => {
    const { asked } = await openCall(mode, { transport: "stdio", era: "modern" });
    expect(asked).toMatchObject({ status: "waiting", requests: [{ kind: "unknown" }] });
  });

  test("up to UNASKED_MESSAGES_MAX is heard", async () => {
    const { asked } = await openCall("notices", { transport: "stdio", era: "modern" });
    expect(asked).toMatchObject({ status: "completed" });
  });
});
