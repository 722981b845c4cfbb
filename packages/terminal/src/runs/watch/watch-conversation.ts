/**
 * Shows a run as the conversation that it is: words as they come, tools with their inputs and
 * results, and the cost so far.
 *
 * 1. The log is the conversation; what is still being written comes from the live bus. Both pass
 *    through one line of tasks, so that nothing is shown before what it answers.
 * 2. A message that was seen coming is not written again when the log has it.
 */
import { openSession, type SessionReader } from "@turnseal/host";
import type { LiveBus, LiveWatch, Stores } from "@turnseal/ports";
import {
  type Amounts,
  foldSpending,
  type LoopEvent,
  NO_SPENDING,
  type RunSpec,
} from "@turnseal/protocol";
import type { EventEnvelope, EventEnvelopeOf } from "@turnseal/protocol/events";
import type { LiveDelta } from "@turnseal/protocol/streaming";
import { formatSpending } from "../../screen/format-amounts.ts";
import { line, toned } from "../../screen/line.ts";
import { sanitizeText } from "../../screen/sanitize-text.ts";
import type { Terminal } from "../../screen/screen.ts";
import { followTicks } from "./follow-ticks.ts";
import { label, renderEnvelope, renderRest } from "./render-envelope.ts";
import type { RunWatch } from "./watch-run.ts";

export interface ConversationParts {
  readonly stores: Pick<Stores, "log" | "blobs">;
  readonly live: LiveBus;
  /** The specification of a run that was started before. */
  readonly spec?: RunSpec | null;
}

export function watchConversation(
  { out, err }: Terminal,
  { stores, live, spec }: ConversationParts,
): RunWatch {
  let run: string | undefined;
  let reader: SessionReader | undefined;
  let watch: LiveWatch | undefined;
  let spending = NO_SPENDING;
  let budget: Amounts = {};
  let tasks = Promise.resolve();
  const words = writeWords(out.writeText);
  const noteTick = followTicks(spec);

  const then = (task: () => void | Promise<void>): void => {
    tasks = tasks.then(task);
  };
  const show = (envelope: EventEnvelope): void => {
    if (envelope.type === "assistant-message" || envelope.type === "reasoning") {
      words.complete(envelope);
      if (envelope.type === "assistant-message")
        renderRest(envelope.content).forEach(out.writeLine);
      return;
    }
    words.end();
    renderEnvelope(envelope).forEach(out.writeLine);
    const isEnd = envelope.type === "tool-result" || envelope.type === "tool-error";
    if (!isEnd) return;
    // Reserved amounts are not spent yet.
    const spent = formatSpending({ ...spending, open: {} }, budget);
    out.writeLine(line(" ".repeat(10), toned("faint", `spent: ${spent}`)));
  };
  const readOn = async (): Promise<void> => {
    if (run === undefined) return;
    reader ??= await open(stores, run);
    for (let isEnd = false; !isEnd; ) {
      const page = await reader.read();
      page.envelopes.forEach(show);
      ({ isEnd } = page);
    }
  };
  return {
    onEvent: (event) => {
      run ??= event.run;
      // A run that was handed to has a conversation of its own.
      if (event.run !== run) return;
      watch ??= live.watch(run, {
        delta: (delta) => then(() => words.add(delta)),
        moved: () => {},
      });
      spending = foldSpending(spending, event);
      budget = readBudget(event) ?? budget;
      then(readOn);
      const tick = noteTick(event);
      if (tick !== undefined) then(() => err.writeLine(tick));
    },
    finish: async () => {
      await tasks;
      words.end();
      watch?.close();
      watch = undefined;
    },
  };
}

async function open(stores: ConversationParts["stores"], run: string): Promise<SessionReader> {
  const opened = await openSession(stores, run);
  if (opened.kind === "refused") throw new Error("a session begins at its beginning");
  return opened.reader;
}

function readBudget({ type, content }: LoopEvent): Amounts | undefined {
  if (type !== "turn.started") return undefined;
  return (content.grant as { readonly budget?: Amounts } | undefined)?.budget;
}

type Words = EventEnvelopeOf<"assistant-message" | "reasoning">;

const labels = {
  text: label("assistant", "good"),
  reasoning: label("thinks", "faint"),
  "tool-output": label("", "faint"),
} as const;

/** The text that is being written, message by message. */
function writeWords(writeText: (text: string) => void) {
  // How much of each message was seen, under the attempt that wrote it.
  const seen = new Map<string, { readonly epoch: number; readonly length: number }>();
  let current: string | undefined;
  const end = (): void => {
    if (current !== undefined) writeText("\n");
    current = undefined;
  };
  const begin = (message: string, kind: LiveDelta["kind"]): void => {
    if (current === message) return;
    end();
    current = message;
    writeText(labels[kind].text);
  };
  return {
    end,
    add: ({ key, part, kind, epoch, offset, text }: LiveDelta): void => {
      const message = kind === "tool-output" ? key : `${key}.${part}`;
      const before = seen.get(message);
      // An attempt that begins again says it again, below what was left unfinished.
      if (before !== undefined && before.epoch !== epoch) end();
      begin(message, kind);
      writeText(showText(text));
      seen.set(message, { epoch, length: offset + text.length });
    },
    complete: ({ type, content: { text }, message = "" }: Words): void => {
      const length = seen.get(message)?.length ?? 0;
      if (length < text.length) {
        begin(message, type === "reasoning" ? "reasoning" : "text");
        writeText(showText(text.slice(length)));
      }
      end();
      seen.delete(message);
    },
  };
}

/** Lines stay lines; everything else that moves a cursor is made visible. */
function showText(text: string): string {
  return text.split("\n").map(sanitizeText).join(`\n${labels["tool-output"].text}`);
}
