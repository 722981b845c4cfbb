/**
 * The tools and the model as one worker calls them: mostly well-behaved, sometimes slow, silent,
 * failing, or lost after they have acted.
 */
import {
  FINISH_REASONS,
  type Model,
  ModelError,
  type ModelRequest,
  type ModelResult,
  type ToolBinding,
} from "@turnseal/ports";
import type { Effect, JsonObject, JsonValue, ModelContent } from "@turnseal/protocol";
import { notDone, type Reconciliation, type ToolContext } from "@turnseal/protocol/authoring";
import type { Attempt } from "./attempt.ts";
import { CANARY, CLAIMS, drawClaim, SECRET } from "./canary.ts";
import { drawHostile } from "./hostile-values.ts";
import { ACTS, LEDGER, TOOLS } from "./loops.ts";
import type { Outside, Request } from "./outside.ts";
import type { Random } from "./random.ts";
import type { Fault, Tally } from "./tally.ts";

export interface DoerOptions {
  readonly attempt: Attempt;
  readonly outside: Outside;
  readonly random: Random;
  readonly tally: Tally;
  /** False once the world is kind. */
  readonly mayFail: () => boolean;
  /** How often a model that asks for a tool asks for a handoff. */
  readonly eagerness: number;
  /** How often it asks for several gifts at once. */
  readonly generosity: number;
  /** How often models and tools say what is hard to keep. */
  readonly weirdness: number;
  /** True while the caller of a model is struck down. */
  readonly isCursed: () => boolean;
  /** Told of every act before it begins, to hold it against the log. */
  readonly onTool: (tool: string, request: Request) => void;
  readonly onModel: (request: ModelRequest) => void;
  readonly onReconcile: (key: string) => void;
}

/** The request behind a gate, for checks of requests in flight. */
export const requests = new WeakMap<object, Request>();

const silence = (): Promise<never> => new Promise(() => {});

export function bindDoers(options: DoerOptions): Readonly<Record<string, ToolBinding>> {
  return Object.fromEntries(
    Object.entries(TOOLS).map(([id, effect]): [string, ToolBinding] => [
      `local.${id}`,
      {
        effect,
        build: "simulated",
        ...needsOf(id),
        ...(id === "pay" || id === "book" ? { secrets: ["vault"] } : {}),
        run: (input, context) => runTool(`local.${id}`, { effect, input }, context, options),
        reconcile: (key) => reconcile(key, options),
      },
    ]),
  );
}

/** Each says that it acts, a payment what it costs, and a booking what it is about. */
function needsOf(id: string): Pick<ToolBinding, "needs"> {
  if (TOOLS[id] === "read") return {};
  const one = { [ACTS]: 1 };
  if (id === "book") return { needs: () => ({ terms: [LEDGER], amounts: one }) };
  if (id !== "pay" && id !== "give") return { needs: () => ({ amounts: one }) };
  const centsOf = (input: JsonValue): number => Number((input as JsonObject)["cents"] ?? 0);
  return { needs: (input) => ({ amounts: { ...one, "payments.cents": centsOf(input) } }) };
}

async function runTool(
  tool: string,
  { effect, input }: { readonly effect: Effect; readonly input: JsonValue },
  context: ToolContext,
  options: DoerOptions,
): Promise<JsonValue> {
  const { attempt, outside, random, tally } = options;
  const { key, epoch, deadlineAt, signal, secrets } = context;
  const request: Request = { run: attempt.run, key, epoch, effect, deadlineAt, args: input };
  options.onTool(tool, request);
  const way = drawWay(key, options);
  const act = (): JsonValue => {
    if (signal.aborted) throw new Error("the request was aborted");
    if (way === "tool-fails") throw new Error(`the tool has failed: ${tellSecret(secrets)}`);
    if (way === "tool-refuses") throw notDone("it would not be right");
    if (way === "tool-unavailable") throw notDone("come back later", { mayRetry: true });
    const result = outside.act(request);
    if (way !== "tool-throws") return result;
    tally.count(`fate thrown-${effect}`);
    throw new Error("the line went dead");
  };
  if (way !== undefined) tally.count(`fault ${way}`);
  if (way === "tool-hangs" && random.chance(0.5)) return silence();
  if (random.chance(0.2)) context.log("info", `acting ${CANARY} ${tellSecret(secrets)}`);
  const acting = attempt.pass(`act ${key}`, act);
  const gate = attempt.gates.at(-1);
  if (gate !== undefined) requests.set(gate, request);
  const result = await acting;
  if (way === "tool-hangs") return silence();
  if (way === "tool-slow") await attempt.pass("answer", () => {});
  const words = { ...drawWords(options), ...drawHostile(options, "tool") };
  return { ...(result as JsonObject), ...words, told: tellSecret(secrets) };
}

/** Tools repeat their arguments, also their secrets. */
function tellSecret(secrets: Readonly<Record<string, string>>): string {
  return Object.values(secrets).join(" ");
}

/** Words of a model or a tool: sometimes they claim what they have no say in. */
function drawWords({ random, tally }: DoerOptions): JsonObject {
  if (random.chance(0.7)) return {};
  const claim = drawClaim(random);
  tally.count(`text claims-${claim}`);
  return { approved: true, words: CLAIMS[claim] };
}

function drawWay(key: string, { random, mayFail, outside }: DoerOptions): Fault | undefined {
  // The second request for what is done already is the one to get wrong.
  if (!mayFail() || random.chance(outside.timesDone(key) > 0 ? 0.2 : 0.75)) return undefined;
  return random.pick([
    "tool-slow",
    "tool-slow",
    "tool-hangs",
    "tool-fails",
    "tool-refuses",
    "tool-unavailable",
    "tool-throws",
    "tool-throws",
  ]);
}

async function reconcile(key: string, options: DoerOptions): Promise<Reconciliation> {
  const { attempt, outside, random, tally, mayFail } = options;
  options.onReconcile(key);
  const answer = await attempt.pass("reconcile", (): Reconciliation | undefined => {
    if (mayFail() && random.chance(0.3)) {
      tally.count("fault reconcile-unsure");
      if (random.chance(0.3)) throw new Error("the tool does not know");
      return random.chance(0.3) ? undefined : { kind: "unsure" };
    }
    if (outside.timesDone(key) > 0)
      return { kind: "happened", result: { done: true, told: SECRET } };
    outside.refuse(key, attempt.epoch);
    return { kind: "never" };
  });
  return answer ?? silence();
}

/**
 * Answers with a score, or calls tools: offered ones, and now and then another one, or with broken
 * arguments.
 */
export function bindModel(options: DoerOptions): Model {
  const { attempt, outside, random, tally } = options;
  return {
    defaultModel: "scripted",
    generate: async (request) => {
      options.onModel(request);
      const isUnwell = options.mayFail() && random.chance(0.08);
      const way = isUnwell ? random.pick(["model-fails", "model-hangs"] as const) : undefined;
      if (way !== undefined) tally.count(`fault ${way}`);
      if (way === "model-hangs" && random.chance(0.5)) return silence();
      const result = await attempt.pass(options.isCursed() ? "cursed" : "model", () => {
        if (request.signal.aborted) throw unwell("MODEL_ABORTED", "never");
        if (way === "model-fails")
          throw unwell("MODEL_UNREACHABLE", random.chance(0.8) ? "retry" : "never");
        const answer = drawAnswer(request, options);
        outside.charge(attempt.run, { ...answer.usage });
        return answer;
      });
      return way === "model-hangs" ? silence() : result;
    },
  };
}

function unwell(code: "MODEL_ABORTED" | "MODEL_UNREACHABLE", retry: "retry" | "never"): ModelError {
  return new ModelError({ code, retry, message: "the model did not answer" });
}

function drawAnswer({ messages, tools = [] }: ModelRequest, options: DoerOptions): ModelResult {
  const { random } = options;
  const wantsTools = tools.length > 0 && random.chance(0.3);
  const words = { ...drawWords(options), ...drawHostile(options, "model") };
  const score = { score: random.below(100), ...words };
  const content: ModelContent[] = wantsTools
    ? drawCalls(tools, options)
    : [{ kind: "text", text: JSON.stringify(score) }];
  const bytes = JSON.stringify(messages).length;
  return {
    content,
    finishReason: FINISH_REASONS[wantsTools ? 3 : 0],
    usage: { inputTokens: random.between(1, bytes), outputTokens: random.between(1, 50) },
  };
}

type Offered = NonNullable<ModelRequest["tools"]>;

function drawCalls(tools: Offered, options: DoerOptions): ModelContent[] {
  const { random, tally, generosity } = options;
  const gift = tools.find(({ name }) => name === "local__give");
  const isSpree = gift !== undefined && random.chance(generosity);
  if (isSpree) tally.count("fault spree");
  const wanted = isSpree ? [gift] : tools;
  const length = isSpree ? random.between(2, 5) : random.between(1, 3);
  return Array.from({ length }, (_, index) => drawCall(index, wanted, options));
}

function drawCall(index: number, tools: Offered, options: DoerOptions): ModelContent {
  const { random, eagerness } = options;
  const handoff = tools.find(({ name }) => name === "turnseal__handoff")?.name;
  const wanted = random.chance(eagerness) ? handoff : undefined;
  const toolName = random.chance(0.04) ? "local__nothing" : (wanted ?? random.pick(tools).name);
  const cents = random.chance(0.04) ? {} : { cents: random.below(1_010) };
  const words = { ...drawWords(options), ...drawHostile(options, "arguments") };
  const args = { order: `${random.below(1_000)} ${CANARY}`, ...cents, ...words };
  const input = random.chance(0.04) ? "{" : JSON.stringify(args);
  return { kind: "tool-call", toolCallId: `call-${index}`, toolName, input };
}
