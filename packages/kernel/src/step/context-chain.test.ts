import { manualClock, memoryStores, SAMPLE_CONTENTS } from "@turnseal/ports";
import type { ModelMessage } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { createContent } from "../log/content.ts";
import type { Action } from "./action.ts";
import { createContextChain } from "./context-chain.ts";

const content = createContent("a", new Uint8Array(32), memoryStores(manualClock()).blobs);

function ask(added: readonly ModelMessage[] | undefined, fields: Partial<Action> = {}): Action {
  return {
    kind: "model",
    name: "sample/small",
    ordinal: 0,
    effect: "repeatable",
    facts: SAMPLE_CONTENTS.claimedModel,
    request: { temperature: 0 },
    ...(added === undefined ? {} : { added: () => added }),
    reserve: () => ({}),
    attempt: {},
    act: async () => ({ result: null, facts: { action: "model" }, spent: {} }),
    ...fields,
  };
}

const hello = { role: "user", text: "hello" } as const;
const more: ModelMessage = {
  role: "tool",
  toolCallId: "call-0",
  toolName: "find",
  result: { found: 1 },
};

test("a request names what came before by one digest and adds only what is new", () => {
  const chain = createContextChain(content);
  const first = chain.describe("c", ask([hello]));
  chain.advance("c", first, 1);
  const second = chain.describe("c", ask([more]));
  expect(first.facts).toMatchObject({ context: { previous: null, strategy: "append" } });
  expect(second.facts).toMatchObject({
    context: { previous: first.context, added: [{ role: "tool", toolCallId: "call-0" }] },
  });
  expect(second.blobs).toHaveLength(1);
  expect(JSON.stringify(second.facts)).not.toContain("found");
});

test("the same request has the same digest, however often it is described", () => {
  const chain = createContextChain(content);
  expect(chain.describe("c", ask([hello]))).toEqual(chain.describe("c", ask([hello])));
});

test.each([
  ["other words", ask([{ role: "user", text: "hallo" }])],
  ["another role", ask([{ role: "system", text: "hello" }])],
  ["other parameters", ask([hello], { request: { temperature: 1 } })],
  ["another model", ask([hello], { name: "sample/large" })],
])("%s have another digest", (_, action) => {
  const chain = createContextChain(content);
  expect(chain.describe("c", action).digest).not.toBe(chain.describe("c", ask([hello])).digest);
});

test("another past has another digest, and each call has a past of its own", () => {
  const chain = createContextChain(content);
  const first = chain.describe("c", ask([hello]));
  chain.advance("c", first, 1);
  expect(chain.describe("c", ask([hello])).digest).not.toBe(first.digest);
  expect(chain.describe("d", ask([hello])).digest).toBe(first.digest);
});

test("a tool's request is one blob, and no part of a conversation", () => {
  const chain = createContextChain(content);
  const facts = SAMPLE_CONTENTS.claimedTool;
  const tool = ask(undefined, { kind: "tool", name: "local.pay", facts, request: { sum: 12 } });
  const asked = chain.describe("c", tool);
  expect(asked.context).toBeNull();
  expect(asked.blobs).toHaveLength(1);
  chain.advance("c", asked, 1);
  expect(chain.describe("c", ask([hello])).facts).toMatchObject({ context: { previous: null } });
  const other = ask(undefined, { kind: "tool", name: "local.pay", facts, request: { sum: 13 } });
  expect(chain.describe("c", other).digest).not.toBe(asked.digest);
});
