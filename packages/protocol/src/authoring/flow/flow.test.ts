import { describe, expect, test } from "vitest";
import { z } from "zod";
import { digestOf } from "../../digest.ts";
import { parseLoopDef } from "../../loop/parse-loop-def.ts";
import { orElse, text } from "../compute.ts";
import { defineComposite } from "../define-composite.ts";
import { defineTool } from "../define-tool.ts";
import { jsonSchema } from "../json-schema-source.ts";
import type { Reference } from "../reference.ts";
import { withUsed } from "../with-used.ts";
import { cel, is, present } from "./cel.ts";
import type { ComposedFlow, FlowStart } from "./flow.ts";

const anything = jsonSchema<{ done: boolean; note?: string; list: string[] }>(true);
const tool = (id: string) =>
  defineTool({
    ...{ id, version: "1.0.0", output: anything },
    input: jsonSchema<{ a?: unknown }>(true),
    run: () => ({ done: true, list: [] }),
  });
const [look, read, tell, ask] = [tool("look"), tool("read"), tool("tell"), tool("ask")];

interface Names {
  readonly input: { readonly q: string; readonly urls: readonly string[] };
}
const define = (flow: (flow: FlowStart<Names>) => ComposedFlow<unknown>) =>
  defineComposite({
    ...{ id: "outer", version: "1.0.0", input: jsonSchema<Names["input"]>(true) },
    output: jsonSchema<unknown>(true),
    flow,
  });
const called = (loopId: string, name: string | undefined, given: unknown, more: object = {}) => ({
  ...{ kind: "call", loopId, loopVersion: "1.0.0", inputMapping: { a: given } },
  ...(name === undefined ? {} : { name }),
  ...more,
});
/** The one node of a body, which has no name. */
const alone = (loopId: string, given: unknown) => called(loopId, undefined, given);

const inOrder = (...list: object[]) => ({ kind: "sequence", nodes: list });

/** The same flow in TypeScript and as a document, node by node. */
const nodes: readonly [string, (flow: FlowStart<Names>) => ComposedFlow<unknown>, unknown][] = [
  [
    "a call with all that a node may have",
    (flow) =>
      flow
        .call("first", look, ({ input }) => ({ a: input.q }))
        .call("found", look, ({ input }) => ({ a: input.q }), {
          when: ({ first }) => first.output.done,
          summary: ({ input }) => text`Looks for ${input.q}`,
          retry: { strategy: "exponential", max: 3, delayMs: 10, jitter: true, on: ["TIMEOUT"] },
          otherwise: (body) => body.call("rescued", tell, ({ error }) => ({ a: error.message })),
          onError: "continue",
          critical: true,
          timeoutMs: 500,
          grant: () => ({ tools: ["local.look"] }),
        }),
    inOrder(
      called("look", "first", "$.input.q"),
      called("look", "found", "$.input.q", {
        when: "first.output.done",
        summary: { cel: '"Looks for " + string(input.q)' },
        retry: { strategy: "exponential", max: 3, delayMs: 10, jitter: true, on: ["TIMEOUT"] },
        otherwise: alone("tell", "$.error.message"),
        ...{ onError: "continue", critical: true, timeoutMs: 500 },
        grantMapping: { tools: { const: ["local.look"] } },
      }),
    ),
  ],
  [
    "a sequence inside, which stays one with a single node",
    (flow) =>
      flow
        .sequence("both", (body) =>
          body
            .call("one", look, ({ input }) => ({ a: input.q }))
            .call("two", read, ({ one }) => ({ a: one.output.list[-1] }))
            .output(({ one }) => ({ list: one.output.list })),
        )
        .sequence(
          "single",
          (body) => body.call("three", tell, ({ both }) => ({ a: both.output.list })),
          {
            timeoutMs: 9,
          },
        ),
    inOrder(
      {
        ...{ kind: "sequence", name: "both" },
        nodes: [called("look", "one", "$.input.q"), called("read", "two", "$.one.output.list[-1]")],
        outputMapping: { list: "$.one.output.list" },
      },
      {
        ...{ kind: "sequence", name: "single", timeoutMs: 9 },
        nodes: [called("tell", "three", "$.both.output.list")],
      },
    ),
  ],
  [
    "fan-outs",
    (flow) =>
      flow
        .parallel(
          "views",
          [
            (body) => body.call("left", look, ({ input }) => ({ a: input.q })),
            (body) => body.call("right", read, () => ({ a: 1 })),
          ],
          { join: "any", concurrency: 2 },
        )
        .forEach(
          "pages",
          ({ input }) => input.urls,
          { max: 20, as: "url", join: { quorum: 2 }, tolerate: { percent: 10 }, scope: "shared" },
          (each) =>
            each.call("page", read, ({ url, urlIndex }) => ({ a: text`${urlIndex} ${url}` })),
        )
        .forEach(
          "fixed",
          () => ["x"],
          { max: 1 },
          (each) => each.call("page", read, ({ item }) => ({ a: item })),
        ),
    inOrder(
      {
        ...{ kind: "parallel", name: "views", join: "any", concurrency: 2 },
        branches: [alone("look", "$.input.q"), alone("read", { const: 1 })],
      },
      {
        ...{ kind: "forEach", name: "pages", items: "$.input.urls", max: 20, as: "url" },
        ...{ join: { quorum: 2 }, tolerate: { percent: 10 }, scope: "shared" },
        body: alone("read", { cel: 'string(urlIndex) + " " + string(url)' }),
      },
      {
        ...{ kind: "forEach", name: "fixed", items: { const: ["x"] }, max: 1 },
        body: alone("read", "$.item"),
      },
    ),
  ],
  [
    "choices and rounds",
    (flow) =>
      flow
        .call("found", look, ({ input }) => ({ a: input.q }))
        .branch(
          "route",
          [
            {
              when: ({ found }) => found.output.done,
              do: (body) => body.call("x", read, () => ({})),
            },
            {
              when: ({ found }) => cel`size(${found.output.list}) > ${3}`,
              do: (body) => body.call("x", tell, () => ({})),
            },
          ],
          { else: (body) => body.call("x", look, () => ({})), onError: "skip" },
        )
        .repeat("tried", (round) => round.call("y", read, ({ round: n }) => ({ a: n })), {
          ...{ max: 5, onMax: "continue" },
          until: ({ last, round }) => cel`${last.done} || ${round} == 3`,
        })
        .repeat("again", (round) => round.call("y", read, ({ last }) => ({ a: last })), {
          max: 2,
          while: ({ last }) => is(orElse(last.done, false), false),
        }),
    inOrder(
      called("look", "found", "$.input.q"),
      {
        ...{ kind: "branch", name: "route", onError: "skip" },
        cases: [
          { when: "found.output.done", do: { ...alone("read", 0), inputMapping: {} } },
          {
            when: "size(found.output.list) > 3",
            do: { ...alone("tell", 0), inputMapping: {} },
          },
        ],
        else: { ...alone("look", 0), inputMapping: {} },
      },
      {
        ...{ kind: "repeat", name: "tried", max: 5, onMax: "continue" },
        until: "last.done || round == 3",
        body: alone("read", "$.round"),
      },
      {
        ...{ kind: "repeat", name: "again", max: 2 },
        while: "(last != null && has(last.done) && last.done != null ? last.done : false) == false",
        body: alone("read", "$.last"),
      },
    ),
  ],
  [
    "a machine",
    (flow) =>
      flow.machine(
        "review",
        (states) =>
          states
            .state("draft", (body) => body.call("x", look, ({ last }) => ({ a: last })), {
              onEntry: (body) => body.call("came", tell, () => ({ a: "in" })),
              onExit: (body) => body.call("left", tell, () => ({ a: "out" })),
              transitions: [
                { when: ({ result }) => is(result.status, "error"), next: "lost" },
                { next: "done" },
              ],
            })
            .state("done", (body) => body.call("x", tell, (known) => ({ a: known.states.draft })), {
              terminal: true,
            })
            .state("lost", { terminal: true })
            .initial("draft"),
        { maxTransitions: 4 },
      ),
    {
      ...{ kind: "machine", initial: "draft", maxTransitions: 4 },
      states: {
        draft: {
          body: alone("look", "$.last"),
          onEntry: alone("tell", { const: "in" }),
          onExit: alone("tell", { const: "out" }),
          transitions: [{ when: 'result.status == "error"', next: "lost" }, { next: "done" }],
        },
        done: { body: alone("tell", "$.states.draft"), terminal: true },
        lost: { terminal: true },
      },
    },
  ],
  [
    "waits",
    (flow) =>
      flow
        .waitForSignal("reply", {
          ...{ signal: "replied", schema: z.string(), withinMs: 5, onTimeout: "continue" },
        })
        .waitForAnswer("agreed", ask, ({ reply }) => ({ a: reply.output }))
        .waitUntil("fixed", () => "2026-11-23T08:00:00.000Z")
        .waitUntil("later", ({ input }) => input.q, { timeoutMs: 7, withinMs: 9 }),
    inOrder(
      {
        ...{ kind: "wait", name: "reply", withinMs: 5, onTimeout: "continue" },
        for: { signal: "replied", schema: { type: "string" } },
      },
      {
        ...{ kind: "wait", name: "agreed" },
        for: {
          question: {
            ...{ loopId: "ask", loopVersion: "1.0.0", inputMapping: { a: "$.reply.output" } },
          },
        },
      },
      {
        ...{ kind: "wait", name: "fixed" },
        for: { until: { const: "2026-11-23T08:00:00.000Z" } },
      },
      { kind: "wait", name: "later", for: { until: "$.input.q" }, timeoutMs: 7, withinMs: 9 },
    ),
  ],
];

describe("the document of a flow written in TypeScript", () => {
  test.each(nodes)("%s: it is the one written by hand", (_, write, expected) => {
    const { definition } = define(write);
    const composite = { flow: expected };
    expect(definition.composite).toEqual(composite);
    expect(digestOf(definition)).toBe(digestOf({ ...definition, composite }));
    expect(parseLoopDef(definition)).toMatchObject({ kind: "parsed", warnings: [] });
  });

  test("an output mapping stands in the sequence", () => {
    const { definition } = define((flow) =>
      flow
        .call("found", look, ({ input }) => ({ a: input.q }))
        .output(({ found }) => ({ list: found.output.list, ended: found.status, fixed: [1] })),
    );
    expect(definition.composite?.flow).toMatchObject({
      outputMapping: {
        list: "$.found.output.list",
        ended: "$.found.status",
        fixed: { const: [1] },
      },
    });
  });

  test("every loop that is called anywhere is brought along, each once", () => {
    const outer = define((flow) =>
      flow
        .call("a", look, () => ({}), { otherwise: (body) => body.call("b", read, () => ({})) })
        .machine("m", (m) =>
          m.state("s", (body) => body.call("c", tell, () => ({})), { terminal: true }).initial("s"),
        )
        .waitForAnswer("d", ask, () => ({})),
    );
    const ids = withUsed([outer]).map(({ definition }) => definition.id);
    expect(ids).toEqual(["outer", "look", "read", "tell", "ask"]);
  });

  test("a call that is not pinned names no version", () => {
    const { definition } = define((flow) => flow.call("a", look, () => ({}), { pinned: false }));
    const flow = { kind: "call", loopId: "look", inputMapping: {} };
    expect(definition.composite).toEqual({ flow });
  });

  test("one flow can be the beginning of two", () => {
    const written: unknown[] = [];
    define((flow) => {
      const begin = flow.call("a", look, () => ({}));
      written.push(begin.call("b", read, () => ({})).nodes.length);
      written.push(begin.nodes.length);
      return begin;
    });
    expect(written).toEqual([2, 1]);
  });
});

describe("what may be missing", () => {
  type Note = Reference<string | undefined>;
  const printed = (options: object, write: (note: Note) => unknown) => {
    const { definition } = define((flow) =>
      flow
        .call("found", look, () => ({}), options)
        // Without the types of the options each case reads its note in the same way.
        .call("next", tell, ({ found }) => ({ a: write(found.output.note as Note) })),
    );
    const { flow } = definition.composite ?? {};
    const next = flow?.kind === "sequence" ? flow.nodes[1] : undefined;
    return next?.kind === "call" ? next.inputMapping["a"] : undefined;
  };

  test.each<[string, object, string]>([
    [
      "the field of a result that is there",
      {},
      'has(found.output.note) && found.output.note != null ? found.output.note : "none"',
    ],
    [
      "the output of a node that goes on after an error",
      { onError: "continue" },
      "has(found.output) && found.output != null && has(found.output.note) && " +
        'found.output.note != null ? found.output.note : "none"',
    ],
    [
      "the result of a node that may be skipped",
      { onError: "skip" },
      "found != null && has(found.output) && found.output != null && " +
        'has(found.output.note) && found.output.note != null ? found.output.note : "none"',
    ],
  ])("%s is asked for before it is read", (_, options, expected) => {
    expect(printed(options, (note) => orElse(note, "none"))).toEqual({ cel: expected });
  });

  test("what is said to be present is a plain path", () => {
    expect(printed({ critical: false }, present)).toBe("$.found.output.note");
    const both = (note: Note) => orElse(present(note), "none");
    expect(printed({ critical: false }, both)).toEqual({
      cel: 'found.output.note != null ? found.output.note : "none"',
    });
  });
});

describe("expressions", () => {
  const whenOf = (write: (flow: FlowStart<Names>) => ComposedFlow<unknown>) => {
    const { flow } = define(write).definition.composite ?? {};
    return flow?.when;
  };

  test("keep backslashes as they are written, and put what is inside into brackets", () => {
    expect(
      whenOf((flow) =>
        flow.call("a", look, () => ({}), {
          when: ({ input }) => cel`${is(input.q, 'say "a"')} && ${input.q} != "\n"`,
        }),
      ),
    ).toBe('(input.q == "say \\"a\\"") && input.q != "\\n"');
  });

  test.each<[string, (flow: FlowStart<Names>) => ComposedFlow<unknown>]>([
    ["as a text", (flow) => flow.call("a", look, ({ input }) => ({ a: `${input.q as never}` }))],
    ["inside a list", (flow) => flow.call("a", look, ({ input }) => ({ a: [input.q] }))],
    [
      "of an object in an expression",
      (flow) => flow.call("a", look, () => ({}), { when: () => cel`${{ a: 1 } as never} == 1` }),
    ],
  ])("a reference %s is REFERENCE_MISPLACED", (_, write) => {
    expect(() => define(write)).toThrow(expect.objectContaining({ code: "REFERENCE_MISPLACED" }));
  });
});
