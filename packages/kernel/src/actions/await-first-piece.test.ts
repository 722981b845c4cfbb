import { type Model, memoryLiveBus, scriptedModel } from "@turnseal/ports";
import type { LoopPolicy } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { promptLoop } from "../call/sample-world.test.data.ts";
import { FIRST_PIECE_MS_DEFAULT, PROMPT_TIMEOUT_MS_DEFAULT } from "../limits.ts";
import { openRun, type SampleRunOptions, settle } from "../turn/sample-run.test.data.ts";

const routes = [{ id: "one" }, { id: "two" }] as const;

function openAsk(policy: LoopPolicy, options: Partial<SampleRunOptions>) {
  const { backend, ...loop } = promptLoop("ask", { policy });
  const place = policy.routes === undefined ? { backend } : {};
  return openRun({ loops: [{ ...loop, ...place }], ...options });
}

const silent = () => scriptedModel([{ silence: true }]);

test.each([
  [FIRST_PIECE_MS_DEFAULT, {}],
  [700, { firstPieceMs: 700 }],
])("a model that says nothing for %i ms is given up, and the next is asked", async (ms, policy) => {
  const [one, two] = [silent(), scriptedModel(["from the other"])];
  const run = openAsk({ routes, ...policy }, { models: { one, two } });
  const turn = run.turn();
  await settle();
  run.clock.advance(ms - 1);
  await settle();
  expect(two.requests).toEqual([]);
  run.clock.advance(1);
  expect(await turn).toMatchObject({ outcome: "completed", output: { text: "from the other" } });
  expect(one.requests[0]?.signal.aborted).toBe(true);
  const [failed] = await run.contents("action.settled");
  expect(failed).toMatchObject({ status: "failed", failure: "MODEL_FAILED", durationMs: ms });
  expect(failed?.spent).toEqual(failed?.reserve);
  const claims = await run.contents("action.claimed");
  expect(claims[1]).toMatchObject({ route: { index: 1, reason: "fallback:MODEL_FAILED" } });
});

test("a model whose answer has begun has the time of the call", async () => {
  const slow = Promise.withResolvers<string>();
  async function* pieces() {
    yield "It ";
    yield await slow.promise;
  }
  const run = openAsk(
    { routes },
    {
      models: { one: scriptedModel([{ pieces: pieces() }]), two: silent() },
    },
  );
  const turn = run.turn();
  await settle();
  run.clock.advance(FIRST_PIECE_MS_DEFAULT + 1);
  slow.resolve("came");
  expect(await turn).toMatchObject({ outcome: "completed", output: { text: "It came" } });
});

test("a model that is watched is given up, where a limit or somebody says so", async () => {
  for (const options of [{ live: memoryLiveBus() }, {}]) {
    const run = openAsk({}, { model: silent(), ...options });
    const turn = run.turn();
    await settle();
    run.clock.advance(FIRST_PIECE_MS_DEFAULT);
    await settle();
    const isGivenUp = (await run.contents("action.settled")).length === 1;
    expect(isGivenUp).toBe("live" in options);
    run.clock.advance(PROMPT_TIMEOUT_MS_DEFAULT);
    await turn;
  }
});

test("a model that cannot tell when its answer begins is waited for", async () => {
  const answer = Promise.withResolvers<void>();
  const whole = scriptedModel(["at last"]);
  const mute: Model = {
    defaultModel: "mute",
    generate: async (request) => {
      await answer.promise;
      return whole.generate(request);
    },
  };
  const run = openAsk({ routes }, { models: { one: mute, two: silent() } });
  const turn = run.turn();
  await settle();
  run.clock.advance(FIRST_PIECE_MS_DEFAULT + 1);
  answer.resolve();
  expect(await turn).toMatchObject({ outcome: "completed", output: { text: "at last" } });
});
