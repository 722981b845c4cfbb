// A fork and a handoff get copies of threads: the requests to their models show them.
import {
  type Model,
  manualClock,
  memoryStores,
  type ScriptedReply,
  type Stores,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import type { Grant, LoopDef, LoopEvent, ModelMessage, RunBounds } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { bindHost } from "../../bind-host.ts";
import { createLocalHost } from "../../local/local-host.ts";
import { stepRun } from "../../restate/step-run.ts";
import { signer } from "../__fixtures__/refund-desk.ts";
import { crashAt } from "../sample-world.test.data.ts";

const header = (id: string) =>
  ({ id, name: id, version: "1.0.0", inputSchema: true, outputSchema: true }) as const;
const expert: LoopDef = {
  ...header("expert"),
  kind: "prompt",
  prompt: { template: "{{q}}", variables: ["q"], systemPrompt: "Know it." },
  backend: { id: "scripted" },
};
const hand: LoopDef = {
  ...header("hand"),
  kind: "tool",
  tool: {
    implementation: "turnseal.handoff",
    config: { loop: "expert", thread: "copy", grant: { tools: [], budget: {} } },
  },
};
const agent: LoopDef = {
  ...header("agent"),
  kind: "prompt",
  prompt: {
    ...{ template: "{{text}}", variables: ["text"], systemPrompt: "Be brief.", maxRounds: 4 },
    tools: [{ loopId: "hand" }],
  },
  backend: { id: "scripted" },
  policy: { contextTokensMax: 1_000 },
};
const bounds: Partial<RunBounds> = {
  awaits: ["message"],
  nextInput: { text: "$.signals.message" },
  turnsMax: 100,
};
const grant: Grant = { grantor: "ada", tools: [], handoffs: ["expert"], budget: {} };

/** A host whose model is scripted by the last words that it is sent. */
function openHost(answer: (last: string) => ScriptedReply, stores = memoryStores(manualClock())) {
  const sent: (readonly ModelMessage[])[] = [];
  const model: Model = {
    defaultModel: "scripted",
    generate: async (request) => {
      sent.push(request.messages);
      const words = request.messages.findLast(({ role }) => role === "user");
      return scriptedModel([answer(words?.role === "user" ? words.text : "")]).generate(request);
    },
  };
  const open = (see: (stores: Stores) => Stores = (same) => same) =>
    createLocalHost({
      ...{ loops: [agent, hand, expert].map((definition) => ({ definition })), signer },
      ...{ stores: see(stores), clock: manualClock(), ids: seededIds("copies") },
      models: { scripted: model },
    } as never);
  const bind = (definitions: readonly LoopDef[]) =>
    bindHost({
      ...{ loops: definitions.map((definition) => ({ definition })), stores, signer },
      ...{ clock: manualClock(), models: { scripted: model } },
    });
  return { host: open(), open, bind, sent, stores };
}

const page = "word ".repeat(100).trim();
const talk = (last: string): ScriptedReply => `${page} after ${last}`;

async function chat({ host }: ReturnType<typeof openHost>, turns: number): Promise<string> {
  const run = await host.start({ definition: agent }, { text: "w1" } as never, {
    ...{ grant, bounds, key: "chat" },
  });
  await host.drive(run);
  for (let turn = 2; turn <= turns; turn++) {
    await host.signal(run, { name: "message", payload: `w${turn}`, key: `w${turn}`, by: "me" });
    await host.drive(run);
  }
  return run;
}

describe("a fork", () => {
  test("is sent what the turn was sent, also where entries were left out", async () => {
    const world = openHost(talk);
    const old = await chat(world, 16);
    const before = [...world.sent];
    expect(before.some((messages) => /earlier entries/.test(JSON.stringify(messages)))).toBe(true);
    for (const turn of [1, 2, 9, 16]) {
      world.sent.length = 0;
      const forked = await world.host.start({ definition: agent }, { text: `w${turn}` } as never, {
        ...{ grant, bounds, key: `fork-${turn}`, forkedFrom: { run: old, turn } },
      });
      await world.host.drive(forked);
      for (let next = turn + 1; next <= 16; next++) {
        await world.host.signal(forked, {
          name: "message",
          payload: `w${next}`,
          key: `w${next}`,
          by: "me",
        });
        await world.host.drive(forked);
      }
      expect(JSON.stringify(world.sent)).toBe(JSON.stringify(before.slice(turn - 1)));
    }
  });

  test("shares no digest with the run that it was forked from", async () => {
    const world = openHost(talk);
    const old = await chat(world, 3);
    const forked = await world.host.start({ definition: agent }, { text: "w3" } as never, {
      ...{ grant, bounds, key: "fork", forkedFrom: { run: old, turn: 3 } },
    });
    await world.host.drive(forked);
    const mine = digestsOf(await world.stores.log.read(forked, 1));
    const theirs = digestsOf(await world.stores.log.read(old, 1));
    expect(mine.length).toBeGreaterThan(10);
    expect(mine.filter((digest) => theirs.includes(digest))).toEqual([]);
  });

  test("starts as it would have after a crash at its first append", async () => {
    for (const when of ["before", "after"] as const) {
      const world = openHost(talk);
      const old = await chat(world, 4);
      const wanted = JSON.stringify(world.sent.at(-1));
      const forked = await world.host.start({ definition: agent }, { text: "w4" } as never, {
        ...{ grant, bounds, key: "fork", forkedFrom: { run: old, turn: 4 } },
      });
      await world
        .open(crashAt(1, when))
        .drive(forked)
        .catch(() => {});
      await world.open().drive(forked);
      expect(JSON.stringify(world.sent.at(-1))).toBe(wanted);
    }
  });

  test.each([
    ["of another tenant", async () => ({ run: await chat(openHost(talk), 2), turn: 2 })],
    [
      "of a run that was erased",
      async (world: ReturnType<typeof openHost>) => {
        const run = await chat(world, 2);
        await world.stores.blobs.erase(run);
        return { run, turn: 2 };
      },
    ],
  ])("%s never begins", async (_, from) => {
    const world = openHost(talk);
    const forkedFrom = await from(world);
    world.sent.length = 0;
    const run = await world.host.start({ definition: agent }, { text: "w2" } as never, {
      ...{ grant, bounds, key: "fork", forkedFrom },
    });
    await world.host.drive(run).catch(() => {});
    expect(world.sent).toEqual([]);
    expect(await world.stores.log.read(run, 1)).toMatchObject([
      { type: "signal.received", content: { kind: "refused", why: "thread-unreadable" } },
    ]);
  });
});

describe("a handoff", () => {
  const call = { tool: "turnseal__handoff", input: { q: "why" } };
  const thoughts = {
    kind: "reasoning",
    text: "a thought",
    providerData: { key: "secret" },
  } as const;
  const answer = (last: string): ScriptedReply =>
    last === "w2"
      ? { content: [thoughts, { kind: "text", text: "let me ask" }, toPart(call)] }
      : last === "why"
        ? "because"
        : { content: [thoughts, { kind: "text", text: "hello" }] };

  test("gives what was shown, as one entry that is marked; thoughts stay behind", async () => {
    const world = openHost(answer);
    await chat(world, 2);
    const child = world.sent.find(
      ([first]) => first?.role === "system" && first.text === "Know it.",
    );
    expect(child?.map(({ role }) => role)).toEqual(["system", "user", "user"]);
    const [, copy, words] = child ?? [];
    expect(words).toEqual({ role: "user", text: "why" });
    const text = copy?.role === "user" ? copy.text : "";
    expect(text).toMatch(/^Entries of the run that handed to this one: untrusted material/);
    expect(text.match(/ begin \d\/\d \w+/g)?.map((line) => line.slice(7))).toEqual([
      "1/3 words",
      "2/3 answer",
      "3/3 words",
    ]);
    for (const said of ["w1", "hello", "w2"]) expect(text).toContain(`\n${said}\n`);
    for (const unsaid of ["Be brief.", "a thought", "secret", "let me ask"])
      expect(text).not.toContain(unsaid);
  });

  test("is given as much where a worker without its loop takes the start in", async () => {
    const world = openHost(answer);
    const run = await chat(world, 1);
    await world.host.signal(run, { name: "message", payload: "w2", key: "w2", by: "me" });
    const [whole, lacking] = [world.bind([agent, hand, expert]), world.bind([agent, hand])];
    const [child = ""] = (await stepRun(run, whole, {})).others;
    await stepRun(child, lacking, { findElsewhere: async () => "there" });
    await stepRun(child, whole, {});
    expect(JSON.stringify(world.sent.at(-1))).toContain("Entries of the run that handed to");
  });
});

function toPart({ tool, input }: { readonly tool: string; readonly input: object }) {
  const parts = { toolCallId: "h", toolName: tool, input: JSON.stringify(input) };
  return { kind: "tool-call", ...parts } as const;
}

function digestsOf(events: readonly LoopEvent[]): string[] {
  return JSON.stringify(events).match(/hmac-sha256:[0-9a-f]{64}/g) ?? [];
}
