/**
 * Asks the person at the terminal for what a run waits for: an approval, an answer, or the next
 * message. Open requests can be answered later, from anywhere.
 */
import { randomUUID } from "node:crypto";
import { createInterface, type Interface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";
import type { RunProjection } from "@turnseal/folds";
import { type RunClient, readsSignal, readWaiting, type WaitingRequest } from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import { isLoopError, type JsonValue } from "@turnseal/protocol";
import { type Line, line, renderNote, type Terminal, toned } from "@turnseal/terminal";
import { renderBrief, renderRequest } from "@turnseal/terminal/inbox";
import { readIdentity } from "../terminal/read-identity.ts";

export interface Asking {
  readonly host: RunClient;
  readonly stores: Pick<Stores, "blobs" | "inbox">;
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stderr: Writable;
}

/** Returns true if an answer moves the run. */
export type Ask = (projection: RunProjection) => Promise<boolean>;

/** The signal for a person's messages. */
export const MESSAGE_SIGNAL = "message";

/** Asks at a terminal; elsewhere there are no questions, and the run waits. */
export function askInPlace(asking: Asking): Ask | undefined {
  const { stdin, stderr } = asking;
  if ((stdin as { readonly isTTY?: boolean }).isTTY !== true) return undefined;
  return async (projection) => {
    const prompt = createInterface({ input: stdin, output: stderr });
    // Ctrl-C at a question leaves the run as it is: it waits either way.
    const left = new AbortController();
    prompt.once("SIGINT", () => left.abort());
    prompt.once("close", () => left.abort());
    try {
      return await askAll(projection, { ...asking, prompt, signal: left.signal });
    } catch (error) {
      if (left.signal.aborted) return false;
      throw error;
    } finally {
      prompt.close();
    }
  };
}

interface Prompting extends Asking {
  readonly prompt: Interface;
  readonly signal: AbortSignal;
}

async function askAll(projection: RunProjection, asking: Prompting): Promise<boolean> {
  const waiting = await readWaiting(asking.stores, projection);
  const { terminal, host } = asking;
  let isMoved = false;
  for (const request of waiting.requests) {
    const options = { content: true, nowMs: Date.now() };
    const show = (card: readonly Line[]): void => card.forEach(terminal.err.writeLine);
    const showWhole = (): void => show(renderRequest(request, waiting, options));
    if (request.kind === "approval") show(renderBrief(request, waiting, options));
    else showWhole();
    isMoved = (await decide(request, { ...asking, showWhole })) || isMoved;
  }
  if (isMoved || waiting.requests.length > 0 || !takesMessage(projection, waiting.signals))
    return isMoved;
  const text = await put("you> ", asking);
  if (text === "") return false;
  const by = readIdentity(asking.environment).id;
  const signal = { name: MESSAGE_SIGNAL, payload: { text }, key: randomUUID(), by };
  try {
    await host.signal(projection.run, signal);
  } catch (error) {
    if (!isLoopError(error)) throw error;
    terminal.err.writeLine(line(toned("bad", "error: "), error.message));
  }
  return true;
}

/** The prompt for a message only appears if a turn reads it. */
function takesMessage({ spec }: RunProjection, awaited: readonly string[]): boolean {
  return awaited.includes(MESSAGE_SIGNAL) && readsSignal(spec?.bounds.nextInput, MESSAGE_SIGNAL);
}

interface Deciding extends Prompting {
  /** Shows the whole request. */
  showWhole(): void;
}

async function decide(request: WaitingRequest, asking: Deciding): Promise<boolean> {
  try {
    return await (request.kind === "approval"
      ? decideApproval(request, asking)
      : answerQuestion(request, asking));
  } catch (error) {
    // The person may not decide, or is too late, or the answer does not fit: reported, and left
    // open.
    if (!isLoopError(error)) throw error;
    asking.terminal.err.writeLine(line(toned("bad", "error: "), error.message));
    return false;
  }
}

type Choice = "approve" | "reject" | "later" | "whole";

/** With three choices, a yes is unclear: the question is repeated. */
const choices: ReadonlyMap<string, Choice> = new Map([
  ...["a", "approve"].map((word) => [word, "approve"] as const),
  ...["r", "reject"].map((word) => [word, "reject"] as const),
  ...["", "l", "later"].map((word) => [word, "later"] as const),
  ...["w", "whole"].map((word) => [word, "whole"] as const),
]);
/** How often a question is repeated after another word. */
export const ASKS_MAX = 3;

async function decideApproval({ run, id }: WaitingRequest, asking: Deciding): Promise<boolean> {
  const choice = await askChoice(asking);
  if (choice === "later") return false;
  await asking.host.decide(run, id, { choice, by: readIdentity(asking.environment) });
  return true;
}

async function askChoice(asking: Deciding): Promise<Exclude<Choice, "whole">> {
  for (let asks = 1; asks <= ASKS_MAX; asks++) {
    const said = await put("approve, reject, later or the whole card? [a/r/l/w] ", asking);
    const choice = choices.get(said.toLowerCase());
    if (choice === "whole") {
      asking.showWhole();
      continue;
    }
    if (choice !== undefined) return choice;
    const words = "write a (approve), r (reject), l (decide later) or w (the whole card)";
    asking.terminal.err.writeLine(renderNote(words));
  }
  return "later";
}

async function answerQuestion({ run, id }: WaitingRequest, asking: Prompting): Promise<boolean> {
  const said = await put("answer> ", asking);
  if (said === "") return false;
  const by = readIdentity(asking.environment);
  await asking.host.answer(run, id, { answer: parseAnswer(said), by });
  return true;
}

async function put(question: string, { prompt, signal }: Prompting): Promise<string> {
  return (await prompt.question(question, { signal })).trim();
}

/** JSON where it is written as JSON, else the words themselves. */
function parseAnswer(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
