/** The tools and the model as one worker calls them. They answer to what they are sent. */
import {
  FINISH_REASONS,
  type Model,
  ModelError,
  type ModelResult,
  type ToolBinding,
} from "@turnseal/ports";
import { canonicalize, type Effect, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { notDone, type Reconciliation, type ToolContext } from "@turnseal/protocol/authoring";
import type { Attempt } from "../simulate/attempt.ts";
import type { Request } from "../simulate/outside.ts";
import { TOOLS } from "./loops.ts";
import type { Place } from "./places.ts";
import { luckOf, numberFrom, replyTo } from "./reply.ts";
import type { FlowWorld } from "./world.ts";

/** The request behind a gate, for checks of requests in flight. */
export const requests = new WeakMap<object, Request>();

export interface Doing {
  readonly world: FlowWorld;
  readonly place: Place;
  readonly attempt: Attempt;
}

export function bindDoers(doing: Doing): Readonly<Record<string, ToolBinding>> {
  return Object.fromEntries(
    Object.entries(TOOLS).map(([id, effect]): [string, ToolBinding] => [
      `local.${id}`,
      {
        ...{ effect, build: "simulated" },
        ...(id === "pay" ? { needs: (input) => ({ amounts: centsOf(input) }) } : {}),
        run: (input, context) =>
          id === "hang" ? new Promise(() => {}) : runTool(doing, { effect, id, input }, context),
        reconcile: (key) => reconcile(doing, key),
      },
    ]),
  );
}

function centsOf(input: JsonValue): { readonly "payments.cents"?: number } {
  const cents = Number((input as JsonObject)["cents"] ?? 0);
  return cents === 0 ? {} : { "payments.cents": cents };
}

interface Asked {
  readonly effect: Effect;
  readonly id: string;
  readonly input: JsonValue;
}

async function runTool(
  { world, place, attempt }: Doing,
  { effect, id, input }: Asked,
  { key, epoch, deadlineAt, signal }: ToolContext,
): Promise<JsonValue> {
  const { outside, asked, scenario, clock } = world;
  const args = effect === "once" ? input : { ...(input as JsonObject), cents: 0 };
  const request: Request = { run: attempt.run, key, epoch, effect, deadlineAt, args };
  asked.set(key, input);
  place.watch.onTool(id, request, clock.now());
  // A failure of a retry leaves the first try unknown: then a person is asked, who cannot answer
  // that it failed.
  const luck = effect === "idempotent" ? "fine" : luckOf(key, scenario.unluck);
  const acting = attempt.pass(`act ${key}`, (): JsonValue => {
    if (signal.aborted) throw notDone("the request was aborted");
    if (luck !== "fine") throw notDone("it cannot be done", { mayRetry: luck === "unavailable" });
    outside.act(request);
    return replyTo(id, input);
  });
  const gate = attempt.gates.at(-1);
  if (gate !== undefined && luck === "fine") requests.set(gate, request);
  return acting;
}

async function reconcile({ world, place, attempt }: Doing, key: string): Promise<Reconciliation> {
  const { outside, asked, clock } = world;
  place.watch.onReconcile(key, clock.now());
  return attempt.pass("reconcile", (): Reconciliation => {
    if (outside.timesDone(key) > 0)
      return { kind: "happened", result: replyTo("book", asked.get(key) ?? null) };
    outside.refuse(key, attempt.epoch);
    return { kind: "never" };
  });
}

/** Answers with a number, or asks for a tool where one is offered: by what it was sent. */
export function bindModel({ world, place, attempt }: Doing): Model {
  return {
    defaultModel: "scripted",
    generate: async ({ messages, tools = [], signal }) => {
      place.watch.onModel(attempt.epoch);
      return attempt.pass("model", () => {
        if (signal.aborted) throw unwell("MODEL_ABORTED");
        const sent = canonicalize(messages as unknown as JsonValue);
        if (numberFrom("unwell", sent) % 100 < world.scenario.unluck / 2)
          throw unwell("MODEL_REFUSED");
        const answer = answerTo(
          sent,
          tools.map(({ name }) => name),
        );
        world.outside.charge(attempt.run, { ...answer.usage });
        return answer;
      });
    },
  };
}

function unwell(code: "MODEL_ABORTED" | "MODEL_REFUSED"): ModelError {
  return new ModelError({ code, retry: "never", message: "the model does not answer" });
}

function answerTo(sent: string, tools: readonly string[]): ModelResult {
  const number = numberFrom("model", sent);
  const usage = { inputTokens: 1 + (number % 40), outputTokens: 1 + (number % 60) };
  // A prompt without further rounds ends the whole tree, and which prompt ends it first is chance.
  const isTold = sent.includes('"role":"tool"');
  if (tools.length === 0 || isTold || number % 5 < 2)
    return {
      content: [{ kind: "text", text: JSON.stringify(replyTo("model", sent)) }],
      ...{ finishReason: FINISH_REASONS[0], usage },
    };
  const content = Array.from({ length: 1 + (number % 2) }, (_, index) => ({
    kind: "tool-call" as const,
    toolCallId: `call-${index}`,
    toolName: tools[(number + index) % tools.length] ?? "",
    input: JSON.stringify({ salt: (number % 1_000) + index }),
  }));
  return { content, finishReason: FINISH_REASONS[3], usage };
}
