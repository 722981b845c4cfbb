/**
 * Flows that must compile, and flows that must not. `tsc -b` is the test: an expected error that is
 * missing is itself an error.
 */
import { z } from "zod";
import { orElse, text } from "../compute.ts";
import { defineComposite } from "../define-composite.ts";
import { defineTool } from "../define-tool.ts";
import { jsonSchema } from "../json-schema-source.ts";
import { cel, is, present } from "./cel.ts";
import type { ComposedFlow, FlowStart } from "./flow.ts";
import type { ItemOutcome } from "./scope.ts";

type Equal<Left, Right> =
  (<Probe>() => Probe extends Left ? 1 : 2) extends <Probe>() => Probe extends Right ? 1 : 2
    ? true
    : false;
const holds = <Claim extends true>(claim: Claim): Claim => claim;

const hit = z.object({ url: z.string(), score: z.number() });
const search = defineTool({
  id: "search",
  input: z.object({ query: z.string(), limit: z.number().optional() }),
  output: z.object({ hits: z.array(hit), kind: z.enum(["news", "paper"]) }),
  run: () => ({ hits: [], kind: "news" as const }),
});
const fetchPage = defineTool({
  id: "fetch-page",
  input: z.object({ url: z.string() }),
  output: z.object({ text: z.string() }),
  run: ({ url }) => ({ text: url }),
});
const count = defineTool({
  id: "count",
  input: z.object({ text: z.string().optional() }),
  output: z.object({ words: z.number(), done: z.boolean() }),
  run: () => ({ words: 0, done: true }),
});
const sure = defineTool({
  id: "sure",
  input: z.object({ question: z.string() }),
  output: z.object({ yes: z.boolean() }),
  implementation: "turnseal.question",
  run: () => ({ yes: true }),
});

interface Names {
  readonly input: { readonly q: string; readonly urls: readonly string[] };
}
type Output<Written> = Written extends ComposedFlow<infer Given> ? Given : never;
declare const flow: FlowStart<Names>;
const found = flow.call("found", search, ({ input }) => ({ query: input.q }));
type Page = { text: string };
type Found = { hits: { url: string; score: number }[]; kind: "news" | "paper" };
type Counted = { words: number; done: boolean };

// A sequence gives what its last node gave; the whole can be a loop.
holds<Equal<Output<typeof found>, Found>>(true);
defineComposite({
  id: "research",
  input: z.object({ q: z.string() }),
  output: z.object({ pages: z.array(z.object({ text: z.string() })), kind: z.string() }),
  flow: (begin) =>
    begin
      .call("found", search, ({ input }) => ({ query: input.q }), {
        retry: { strategy: "fixed", max: 3 },
        summary: ({ input }) => text`Searches for ${input.q}`,
      })
      .forEach(
        "pages",
        (known) => known.found.output.hits,
        { max: 20, as: "hit" },
        (each) => each.call("page", fetchPage, (known) => ({ url: known.hit.url })),
      )
      .output((known) => ({ pages: known.pages.output, kind: known.found.output.kind })),
});

// Fan-outs: a list, or an output and an error each, or the winner's, or some of them.
const each = (begin: FlowStart<Names & { item: string; itemIndex: number }>) =>
  begin.call("page", fetchPage, ({ item }) => ({ url: item }));
const urls = () => ["a", "b"];
const all = flow.forEach("pages", urls, { max: 2 }, each);
const goesOn = flow.forEach("pages", urls, { max: 2, onItemError: "continue" }, each);
const tolerant = flow.forEach("pages", urls, { max: 2, tolerate: { percent: 10 } }, each);
const any = flow.forEach("pages", urls, { max: 2, join: "any" }, each);
const quorum = flow.forEach("pages", urls, { max: 2, join: { quorum: 1 } }, each);
holds<Equal<Output<typeof all>, Page[]>>(true);
holds<Equal<Output<typeof goesOn>, ItemOutcome<Page>[]>>(true);
holds<Equal<Output<typeof tolerant>, ItemOutcome<Page>[]>>(true);
holds<Equal<Output<typeof any>, Page>>(true);
holds<Equal<Output<typeof quorum>, Page[]>>(true);

const page = (begin: FlowStart<Names>) =>
  begin.call("page", fetchPage, ({ input }) => ({ url: input.q }));
const counted = (begin: FlowStart<Names>) =>
  begin.call("counted", count, ({ input }) => ({ text: input.q }));
const both = flow.parallel("both", [page, counted]);
const first = flow.parallel("first", [page, counted], { join: "any" });
holds<Equal<Output<typeof both>, [Page, Counted]>>(true);
holds<Equal<Output<typeof first>, Page | Counted>>(true);
// Each place of the list has its own type, and the result says how each ended.
both.call("next", fetchPage, (known) => ({ url: known.both.output[0].text }));
both.output((known) => ({ words: known.both.output[1].words, ended: known.both.items[0].status }));
// @ts-expect-error The second branch gives no text.
both.call("next", fetchPage, (known) => ({ url: known.both.output[1].text }));

// A branch gives one of its cases; without `else` it may give null.
const routed = found.branch(
  "route",
  [{ when: (known) => is(known.found.output.kind, "paper"), do: (body) => page(body as never) }],
  { else: (body) => body.call("counted", count, () => ({})) },
);
holds<Equal<Output<typeof routed>, Page | Counted>>(true);
const halfRouted = found.branch("route", [
  { when: (known) => cel`size(${known.found.output.hits}) > 3`, do: (body) => page(body as never) },
]);
holds<Equal<Output<typeof halfRouted>, Page | null>>(true);

// The output of a node that may be skipped may be absent; a failure that is continued is an output
// or an error.
const skipped = found.call("extra", fetchPage, ({ input }) => ({ url: input.q }), {
  when: (known) => cel`${known.found.output.kind} == "paper"`,
});
holds<Equal<Output<typeof skipped>, Page | Found>>(true);
skipped.call("counted", count, ({ extra }) => ({ text: extra.output.text }));
skipped.call("next", fetchPage, ({ extra }) => ({ url: orElse(extra.output.text, "none") }));
skipped.call("next", fetchPage, ({ extra }) => ({ url: present(extra).output.text }));
// @ts-expect-error It may have been skipped, and the input needs a text.
skipped.call("next", fetchPage, ({ extra }) => ({ url: extra.output.text }));
found
  .call("extra", fetchPage, ({ input }) => ({ url: input.q }), { onError: "skip" })
  // @ts-expect-error It may have failed and been skipped.
  .call("next", fetchPage, ({ extra }) => ({ url: extra.output.text }));
found
  .call("extra", fetchPage, ({ input }) => ({ url: input.q }), { critical: false })
  // @ts-expect-error It may have failed.
  .call("next", fetchPage, ({ extra }) => ({ url: extra.output.text }));

const continued = flow.call("extra", fetchPage, ({ input }) => ({ url: input.q }), {
  onError: "continue",
});
continued.output(({ extra }) => ({ status: extra.status, error: present(extra.error).message }));
continued.call("next", fetchPage, ({ extra }) => ({ url: present(extra.output).text }));
// @ts-expect-error There is an output or an error.
continued.call("next", fetchPage, ({ extra }) => ({ url: extra.output.text }));

// The node that runs after the last try knows the error, and its output may replace that of the
// node.
const rescued = flow.call("extra", fetchPage, ({ input }) => ({ url: input.q }), {
  otherwise: (body) => body.call("counted", count, ({ error }) => ({ text: error.message })),
});
holds<Equal<Output<typeof rescued>, Page | Counted>>(true);

// Rounds: what the round gave is known to the condition.
const repeated = flow.repeat(
  "fixed",
  (round) => round.call("counted", count, ({ input }) => ({ text: input.q })),
  { until: ({ last, round }) => cel`${last.done} || ${round} > 3`, max: 5 },
);
holds<Equal<Output<typeof repeated>, Counted>>(true);
const maybeRepeated = flow.repeat(
  "fixed",
  (round) => round.call("counted", count, ({ input }) => ({ text: input.q })),
  { while: ({ last }) => is(orElse(last.done, false), false), max: 5 },
);
holds<Equal<Output<typeof maybeRepeated>, Counted | null>>(true);

// A machine gives what the states give in which it ends.
const machine = flow.machine(
  "review",
  (states) =>
    states
      .state("draft", (body) => body.call("counted", count, ({ input }) => ({ text: input.q })), {
        transitions: [
          {
            when: ({ result }) => cel`${result.status} == "ok" && ${result.output.done}`,
            next: "published",
          },
          { next: "draft" },
        ],
      })
      .state(
        "published",
        (body) => body.call("page", fetchPage, ({ input }) => ({ url: input.q })),
        {
          terminal: true,
        },
      )
      .initial("draft"),
  { maxTransitions: 9 },
);
holds<Equal<Output<typeof machine>, Page>>(true);
const quiet = flow.machine("quiet", (states) =>
  states
    .state("draft", (body) => body.call("counted", count, () => ({})), {
      transitions: [{ next: "done" }],
    })
    .state("done", { terminal: true })
    .initial("draft"),
);
holds<Equal<Output<typeof quiet>, Counted>>(true);

// Waits.
const signalled = flow.waitForSignal("reply", {
  signal: "reply",
  schema: z.object({ a: z.string() }),
});
holds<Equal<Output<typeof signalled>, { a: string }>>(true);
const late = flow.waitForSignal("reply", {
  ...{ signal: "reply", schema: jsonSchema<number>(true), withinMs: 1_000 },
  onTimeout: "continue",
});
holds<Equal<Output<typeof late>, number | null>>(true);
const asked = flow.waitForAnswer("agreed", sure, ({ input }) => ({ question: input.q }));
holds<Equal<Output<typeof asked>, { yes: boolean }>>(true);
const waited = flow.waitUntil("monday", () => "2026-11-23T08:00:00.000Z", { withinMs: 1_000 });
holds<Equal<Output<typeof waited>, string>>(true);

// Uses that must not compile.
// @ts-expect-error The name is taken by the node before.
found.call("found", fetchPage, ({ input }) => ({ url: input.q }));
// @ts-expect-error The name is taken by a node around it.
found.sequence("outer", (body) => body.call("found", fetchPage, ({ input }) => ({ url: input.q })));
// @ts-expect-error `last` is a name that rounds give.
flow.call("last", fetchPage, ({ input }) => ({ url: input.q }));
// @ts-expect-error `item` is a name that lists give.
flow.waitUntil("item", () => "2026-11-23T08:00:00.000Z");
// @ts-expect-error An item cannot be called like a node.
found.forEach("pages", urls, { max: 2, as: "found" }, (body) => body.call("a", count, () => ({})));
// @ts-expect-error No node has this name.
flow.call("page", fetchPage, ({ earlier }) => ({ url: earlier.output.text }));
// @ts-expect-error A node inside another is not known behind it.
flow.sequence("outer", page).call("next", fetchPage, (known) => ({ url: known.page.output.text }));
// @ts-expect-error `error` is known to `otherwise` alone.
flow.call("next", fetchPage, ({ error }) => ({ url: error.message }));
flow.parallel("both", [
  page,
  // @ts-expect-error Branches do not know each other.
  (body) => body.call("other", fetchPage, (known) => ({ url: known.page.output.text })),
]);
// @ts-expect-error The mapping leaves out a required field.
flow.call("page", fetchPage, () => ({}));
// @ts-expect-error The loop has no such field.
flow.call("page", fetchPage, ({ input }) => ({ url: input.q, links: 3 }));
// @ts-expect-error The loop wants a text.
found.call("page", fetchPage, (known) => ({ url: known.found.output.hits }));
flow.forEach(
  "pages",
  ({ input }) => input.urls,
  { max: 2 },
  // @ts-expect-error An item is a text and has no such field.
  (body) => body.call("a", fetchPage, ({ item }) => ({ url: item.url })),
);
flow.forEach(
  "pages",
  // @ts-expect-error A text is no list.
  ({ input }) => input.q,
  { max: 2 },
  (body) => body.call("a", count, () => ({})),
);
// @ts-expect-error A list has a maximum.
flow.forEach("pages", urls, {}, each);
// @ts-expect-error Rounds have a maximum.
flow.repeat("fixed", counted, { until: ({ last }) => last.done });
// @ts-expect-error Rounds have a condition.
flow.repeat("fixed", counted, { max: 3 });
// @ts-expect-error Rounds have one condition.
flow.repeat("fixed", counted, { max: 3, until: () => cel`true`, while: () => cel`true` });
// @ts-expect-error What a round gives has no such field.
flow.repeat("fixed", counted, { max: 3, until: ({ last }) => last.finished });
// @ts-expect-error There is no such strategy.
flow.call("a", count, () => ({}), { retry: { strategy: "sometimes" } });
// @ts-expect-error There is no such code.
flow.call("a", count, () => ({}), { retry: { strategy: "fixed", on: ["BAD_LUCK"] } });
// @ts-expect-error There is no such rule.
flow.call("a", count, () => ({}), { onError: "ignore" });
// @ts-expect-error There is no such join.
flow.parallel("both", [page], { join: "most" });
// @ts-expect-error There is no such option.
flow.call("a", count, () => ({}), { retries: 3 });
// @ts-expect-error A condition is true or false.
found.call("a", count, () => ({}), { when: (known) => known.found.output.kind });
// @ts-expect-error The field is never this.
found.call("a", count, () => ({}), { when: (known) => is(known.found.output.kind, "book") });
// @ts-expect-error A body has a node.
flow.sequence("outer", (body) => body);
// @ts-expect-error Nothing follows the output.
found.output(() => ({ a: 1 })).call("a", count, () => ({}));
// @ts-expect-error A transition leads to a state that is not there.
flow.machine("m", (machine) => machine.state("a", { transitions: [{ next: "b" }] }).initial("a"));
// @ts-expect-error No state is called like that.
flow.machine("m", (machine) => machine.state("a", { terminal: true }).initial("b"));
// @ts-expect-error The state is there already.
flow.machine("m", (machine) => machine.state("a", { terminal: true }).state("a", {}).initial("a"));
// @ts-expect-error A machine begins in a state.
flow.machine("m", (machine) => machine.state("a", { terminal: true }));
// @ts-expect-error The question leaves out a required field.
flow.waitForAnswer("agreed", sure, () => ({}));
// @ts-expect-error A signal has a name.
flow.waitForSignal("reply", { withinMs: 3 });

const refused = {
  id: "refused",
  input: z.object({ q: z.string() }),
  output: z.object({ n: z.number() }),
};
defineComposite({
  ...refused,
  // @ts-expect-error The flow does not give the composite's output.
  flow: (body) => body.call("a", fetchPage, ({ input }) => ({ url: input.q })),
});
// @ts-expect-error A flow without a node gives nothing.
defineComposite({ ...refused, flow: (body) => body });
// @ts-expect-error A composite has steps or a flow.
defineComposite({
  ...refused,
  output: z.object({ text: z.string() }),
  flow: (body) => body.call("a", fetchPage, ({ input }) => ({ url: input.q })),
  steps: (s) => s.call("a", fetchPage, ({ input }) => ({ url: input.q })),
});
