import { runInNewContext } from "node:vm";
import { cel, defineComposite, definePrompt, defineTool, is, text } from "turnseal";
import { z } from "zod";
import { mender } from "./mender.ts";

const cases = [
  { given: "Hello World", wanted: "hello-world" },
  { given: "  Two  spaces ", wanted: "two-spaces" },
  { given: "Ünder", wanted: "under" },
];

const source = z.object({ source: z.string() });

export const propose = definePrompt({
  id: "propose-fix",
  version: "1.0.0",
  input: z.object({ source: z.string(), failure: z.string() }),
  output: source,
  system: "Mend the function `slug`. Answer with the whole source.",
  template: "Source:\n{{source}}\nFailure: {{failure}}",
  backend: { id: "mender" },
});

/** Runs the tests. A real one does so in a container: `node:vm` keeps nobody out. */
export const verify = defineTool({
  id: "run-tests",
  version: "1.0.0",
  input: source,
  output: z.object({ passed: z.boolean(), failure: z.string(), source: z.string() }),
  effect: "read",
  run: ({ source: code }) => {
    for (const { given, wanted } of cases) {
      const got = tryCode(`${code}; slug(${JSON.stringify(given)})`);
      const failure = `slug(${JSON.stringify(given)}) gives ${got}, not "${wanted}"`;
      if (got !== JSON.stringify(wanted)) return { passed: false, failure, source: code };
    }
    return { passed: true, failure: "", source: code };
  },
});

export const giveUp = defineTool({
  id: "give-up",
  version: "1.0.0",
  input: z.object({ reason: z.string(), source: z.string() }),
  output: z.object({ passed: z.boolean(), failure: z.string(), source: z.string() }),
  effect: "read",
  run: ({ reason, source: code }) => ({ passed: false, failure: reason, source: code }),
});

export const fixCode = defineComposite({
  id: "fix-code",
  version: "1.0.0",
  input: source,
  output: z.object({ passed: z.boolean(), failure: z.string(), source: z.string() }),
  flow: (flow) =>
    flow
      .call("before", verify, ({ input }) => ({ source: input.source }))
      .repeat(
        "rounds",
        (round) =>
          round
            .call("proposed", propose, ({ before, last }) => ({
              source: cel<string>`${last} == null ? ${before.output.source} : ${last}.source`,
              failure: cel<string>`${last} == null ? ${before.output.failure} : ${last}.failure`,
            }))
            .call("verified", verify, ({ proposed }) => ({ source: proposed.output.source })),
        {
          // Where nothing is broken there is no round, and the flow gives what came before.
          when: ({ before }) => is(before.output.passed, false),
          until: ({ last }) => last.passed,
          max: 4,
          otherwise: (lost) =>
            lost.call("gaveUp", giveUp, ({ input, error }) => ({
              reason: text`given up: ${error.code}`,
              source: input.source,
            })),
        },
      ),
});

/** Bound by the command to the backend that the prompts name. */
export const models = { mender };

function tryCode(code: string): string {
  try {
    return JSON.stringify(runInNewContext(code, {}, { timeout: 1_000 })) ?? "nothing";
  } catch (error) {
    return error instanceof Error ? error.message : "an error";
  }
}
