/** One request to a model, as an action. */
import type { Model, ModelDelta, ModelRequest, ModelResult } from "@turnseal/ports";
import { type Caps, invariant, type JsonValue, type ModelAnswerFacts } from "@turnseal/protocol";
import { type FileRef, toBlobRef } from "@turnseal/protocol/files";
import type { NextRequest } from "../context/conversation.ts";
import { findToolErrors } from "../context/find-tool-errors.ts";
import { filesOf } from "../context/message-files.ts";
import { refuseAnswer } from "../context/read-answer.ts";
import { easeToolChoice } from "../context/render-settings.ts";
import { FIRST_PIECE_MS_DEFAULT, OUTPUT_TOKENS_DEFAULT } from "../limits.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { ActGiven, Action, Answer } from "../step/action.ts";
import type { LiveTurn } from "../step/live-turn.ts";
import type { World } from "../world.ts";
import { awaitFirstPiece } from "./await-first-piece.ts";
import { countUsage, findUsageGap, hasPrice, listUsageParts, reserveUsage } from "./count-usage.ts";
import { isModelName, isSameModel } from "./is-same-model.ts";
import { hasUntaken, loadFiles, nameUntaken, takeFiles } from "./model-files.ts";
import { parseModelResult } from "./parse-model-result.ts";
import type { ModelRoutes } from "./route-model.ts";
import { type ReasoningTime, timeReasoning } from "./time-reasoning.ts";

export interface ModelQuestion extends NextRequest {
  readonly routes: ModelRoutes;
  readonly promptLength: number;
  readonly round: number;
}

export interface ModelAnswer extends Pick<ModelResult, "content" | "finishReason"> {
  /** How much the model read, where the provider's count can be believed. */
  readonly inputTokens: number | undefined;
  /** True when another model answered than the requested one. */
  readonly isDrifted: boolean;
  /** The backend and the model of the request. */
  readonly by: string;
}

/** Asks the model once. */
export async function askModel(
  question: ModelQuestion,
  { frame, world }: { readonly frame: Frame; readonly world: World },
): Promise<Outcome<ModelAnswer>> {
  const { candidates } = question.routes;
  const unpriced =
    isMoneyCapped(frame.grant) && candidates.find(({ name }) => !hasPrice(name, world.effects));
  if (unpriced) {
    const { name } = unpriced;
    return fail("BUDGET_EXCEEDED", `the budget is in money, and no price is known for ${name}`, {
      unit: "moneyMicros",
    });
  }
  const { model, backend } = question.routes.current();
  if (question.fileBytes > 0 && hasUntaken(model, question.news))
    return refuseAnswer(backend.id, "FILE_NOT_TAKEN");
  const outcome = await world.effects.journal.run(frame, modelAction(question, world));
  if (outcome.kind !== "ok") return outcome;
  const { result, facts } = outcome.value;
  invariant(facts.action === "model", "a model answers as one");
  return succeed({
    content: result as unknown as ModelAnswer["content"],
    // It was one of the list when it was recorded.
    finishReason: facts.finishReason as ModelAnswer["finishReason"],
    inputTokens: facts.usage === undefined ? facts.inputTokens : undefined,
    isDrifted: facts.drift === true,
    by: question.routes.current().name,
  });
}

/** True where money has a cap: for the run, for one call or for a period. */
function isMoneyCapped({ budget, perCall, perPeriod = {} }: Partial<Caps> = {}): boolean {
  const caps = [budget, perCall, ...Object.values(perPeriod)];
  return caps.some((amounts) => amounts?.moneyMicros !== undefined);
}

function modelAction(question: ModelQuestion, world: World): Action {
  const { routes, promptLength, round, news, leftOut, contextTokens } = question;
  const settings = round === 0 ? question.settings : easeToolChoice(question.settings);
  const request: NextRequest = { ...question, settings };
  const { backend, model, name: price, facts } = routes.current();
  const name = backend.model ?? model.defaultModel;
  const stripped = question.countForeign(price);
  const limitMs = model.tellsFirstPiece === true ? firstPieceLimit(routes, world) : undefined;
  return {
    kind: "model",
    name: price,
    ordinal: round,
    effect: "repeatable",
    facts: {
      action: "model",
      backend: backend.id,
      model: name,
      promptLength,
      ...facts,
      ...(contextTokens === undefined ? {} : { contextTokens }),
      ...(stripped === 0 ? {} : { stripped }),
    },
    request: settings as unknown as JsonValue,
    added: () => news,
    leftOut,
    ...(question.thread === undefined ? {} : { thread: question.thread }),
    ...(question.tail === undefined ? {} : { tail: question.tail }),
    reserve: () => reserveUsage(request, price, world.effects),
    attempt: { rounds: 1, modelCalls: 1 },
    ...(routes.limit === undefined ? {} : { limit: routes.limit }),
    instead: (failure) => {
      const isFit = (next: Model): boolean => question.fileBytes === 0 || !hasUntaken(next, news);
      return routes.moveOn(failure, isFit) ? modelAction(question, world) : undefined;
    },
    act: (given) => generate({ model, request, price, world, name, limitMs }, given),
  };
}

interface Asking extends Omit<Asked, "thoughts" | "made"> {
  readonly model: Model;
  /** How long it may give nothing of its answer, where that is limited. */
  readonly limitMs: number | undefined;
}

async function generate(asking: Asking, given: ActGiven): Promise<Answer> {
  const { model, limitMs, ...asked } = asking;
  const { live } = asked.world.control ?? {};
  const isInPieces = live !== undefined || limitMs !== undefined;
  const watch = isInPieces ? openWatch(live, given) : undefined;
  const said = asked.request.messages(asked.price);
  const messages = asked.request.fileBytes === 0 ? said : nameUntaken(model, said);
  const files = asked.world.memory?.files;
  const taken = files === undefined ? undefined : takeFiles(files);
  const loaded = asked.request.fileBytes === 0 ? {} : await loadFiles(messages, files);
  const ask = (waiting: Pick<ModelRequest, "signal" | "onFirstPiece">): Promise<ModelResult> =>
    model.generate({
      // The tokens reserved for the output are also the model's limit.
      maxOutputTokens: OUTPUT_TOKENS_DEFAULT,
      ...asked.request.settings,
      messages,
      ...loaded,
      ...(taken === undefined ? {} : { takeFile: taken.take }),
      ...(watch === undefined ? {} : { onDelta: watch.onDelta }),
      model: asked.name,
      ...waiting,
    });
  try {
    given.onBegin();
    const answer = await (limitMs === undefined
      ? ask({ signal: given.signal })
      : awaitFirstPiece(ask, given, { name: asked.price, limitMs }));
    const result = parseModelResult(answer, taken?.has);
    const made = filesOf({ role: "assistant", content: result.content });
    await taken?.store(made);
    const thoughts = watch?.endThoughts() ?? [];
    return toAnswer(result, { ...asked, thoughts, made });
  } finally {
    watch?.close();
  }
}

/** An answer that comes in pieces has a time for its first, watched or not. */
function firstPieceLimit({ firstPieceMs }: ModelRoutes, { control }: World): number | undefined {
  return firstPieceMs ?? (control?.live === undefined ? undefined : FIRST_PIECE_MS_DEFAULT);
}

interface Watch {
  readonly onDelta: (delta: ModelDelta) => void;
  /** How long it thought, when the answer is whole. */
  endThoughts(): readonly ReasoningTime[];
  close(): void;
}

/** Shows pieces of an answer to watchers as they arrive, and measures reasoning by them. */
function openWatch(live: LiveTurn | undefined, given: ActGiven): Watch {
  const writer = live?.open(given);
  const thoughts = timeReasoning(given.nowMs);
  return {
    onDelta: ({ part, kind, text }) => {
      thoughts.tell({ part, kind });
      writer?.write({ kind, part }, text);
    },
    endThoughts: thoughts.end,
    close: () => writer?.close(),
  };
}

interface Asked {
  readonly request: NextRequest;
  readonly name: string;
  readonly price: string;
  readonly world: World;
  readonly thoughts: readonly ReasoningTime[];
  /** The files of the answer. */
  readonly made: readonly FileRef[];
}

function toAnswer(result: ModelResult, asked: Asked): Answer {
  const { answeredBy } = result;
  const { inputTokens, outputTokens } = result.usage;
  const gap = findUsageGap(result);
  const isDrifted = answeredBy !== undefined && !isSameModel(asked.name, answeredBy);
  const { tools = [] } = asked.request.settings;
  const isOffered = (name: string): boolean => tools.some((tool) => tool.name === name);
  const toolErrors = findToolErrors(result.content, isOffered);
  return {
    result: result.content as unknown as JsonValue,
    facts: {
      action: "model",
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
      ...listUsageParts(result.usage),
      ...(gap === undefined ? {} : { usage: gap }),
      finishReason: result.finishReason,
      ...(answeredBy !== undefined && isModelName(answeredBy) ? { answeredBy } : {}),
      ...(isDrifted ? { drift: true } : {}),
      ...listThoughts(result, asked),
      ...(asked.made.length === 0 ? {} : { files: asked.made.map(toBlobRef) }),
      ...(toolErrors.length === 0 ? {} : { toolErrors: toolErrors.map((error) => ({ ...error })) }),
    },
    spent: countUsage(result, { ...asked, effects: asked.world.effects }),
  };
}

/** How long it thought, of the parts that the answer has: pieces are foreign words too. */
function listThoughts(
  { content }: ModelResult,
  { thoughts }: Asked,
): Pick<ModelAnswerFacts, "reasoning"> {
  const reasoning = thoughts.filter(({ part }) => content[part]?.kind === "reasoning");
  return reasoning.length === 0 ? {} : { reasoning: reasoning.map((time) => ({ ...time })) };
}
