import { expect, test } from "vitest";
import { createPayments } from "../scenarios/__fixtures__/payments.ts";
import type { LocalHost } from "./local-host.ts";

type Call = (host: LocalHost, id: string) => unknown;
const by = { id: "ada", roles: [] };

test.each<[string, string, Call]>([
  ["show", "run", (host, id) => host.show(id)],
  ["requests", "run", (host, id) => host.requests(id)],
  ["cancel", "run", (host, id) => host.cancel(id, { key: "k", by: "ada" })],
  ["decide", "run", (host, id) => host.decide(id, "a", { choice: "approve", by })],
  ["decide", "approval", (host, id) => host.decide("r", id, { choice: "approve", by })],
  ["answer", "question", (host, id) => host.answer("r", id, { answer: 1, by })],
  ["advance", "run", (host, id) => host.advance(id)],
  ["drive", "run", (host, id) => host.drive(id)],
  ["checkResume", "run", (host, id) => host.checkResume(id)],
])("%s without its %s is ID_MISSING, and says which", async (verb, name, call) => {
  const { host } = createPayments();
  for (const [id, found] of [
    [undefined, "of type undefined"],
    [null, "null"],
    ["", "empty"],
    [7, "of type number"],
  ] as const) {
    const asked = async (): Promise<unknown> => call(host, id as unknown as string);
    await expect(asked()).rejects.toMatchObject({
      code: "ID_MISSING",
      message: `the argument \`${name}\` of \`${verb}\` is ${found}: give an id`,
    });
  }
});

test("a loop comes before the run where a verb has both, and streams refuse at once", async () => {
  const { host, agent } = createPayments();
  const none = undefined as unknown as string;
  await expect(host.resume(agent, none)).rejects.toThrow("`run` of `resume`");
  expect(() => host.events(none)).toThrow("`run` of `events`");
  expect(() => host.replay(none)).toThrow("`run` of `replay`");
  expect(await host.show("of nobody")).toBeUndefined();
});
