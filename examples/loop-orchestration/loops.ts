import { defineComposite, defineTool } from "turnseal";
import { z } from "zod";
import { decideTurn } from "./decide-turn.ts";

const request = z.object({
  loopId: z.string(),
  objective: z.string(),
  turnsClosed: z.int().min(0),
  turnsMax: z.int().min(1),
  previousSummary: z.string(),
  requestedTool: z.string(),
  allowedTools: z.array(z.string()),
  needsReview: z.boolean(),
});

const decision = z.object({
  turnId: z.string(),
  turnIndex: z.int(),
  decision: z.enum(["continue", "done", "needs_human", "refused"]),
  reasonCode: z.string(),
  nextTurnAllowed: z.boolean(),
  nextTurnReason: z.string(),
  summary: z.string(),
});

/** One bounded turn: it decides whether there should be another. A refusal is an answer. */
export const boundedTurn = defineTool({
  id: "bounded-turn",
  version: "1.0.0",
  description: "Decides about one turn of a bounded loop",
  implementation: "loop.decide",
  input: request,
  output: decision,
  effect: "read",
  build: "1",
  run: decideTurn,
});

const notes = new Map([["plan.md", "Look first. Change nothing."]]);

export const readNote = defineTool({
  id: "read-note",
  version: "1.0.0",
  description: "Reads a note",
  implementation: "fs.read",
  input: z.object({ path: z.string() }),
  output: z.object({ text: z.string() }),
  effect: "read",
  build: "1",
  run: ({ path }) => ({ text: notes.get(path) ?? "" }),
});

export const writeNote = defineTool({
  id: "write-note",
  version: "1.0.0",
  description: "Writes a note",
  implementation: "fs.write",
  input: z.object({ path: z.string(), text: z.string() }),
  output: z.object({ written: z.int() }),
  effect: "idempotent",
  build: "1",
  run: ({ path, text }) => {
    notes.set(path, text);
    return { written: text.length };
  },
});

/** Reads one note and writes another. Under a grant for `fs.read` alone, the kernel ends it. */
export const copyNote = defineComposite({
  id: "copy-note",
  version: "1.0.0",
  input: z.object({ from: z.string(), to: z.string() }),
  output: z.object({ written: z.int() }),
  steps: (steps) =>
    steps
      .call("note", readNote, ({ input }) => ({ path: input.from }))
      .call("copy", writeNote, ({ input, note }) => ({ path: input.to, text: note.output.text }))
      .output(({ copy }) => ({ written: copy.output.written })),
});

/** Asks an agent outside. The run waits for the answer, and nothing else can give it. */
export const reviewPlan = defineTool({
  id: "review-plan",
  version: "1.0.0",
  description: "Has a plan reviewed by an agent outside",
  implementation: "turnseal.question",
  config: { to: "agent", role: "reviewer" },
  input: z.object({ objective: z.string(), allowedTools: z.array(z.string()) }),
  output: z.object({ verdict: z.enum(["go", "stop"]), remark: z.string() }),
  run: () => ({ verdict: "stop" as const, remark: "a question is not executed" }),
});

/** A turn behind a gate: reviewed first, decided after. */
export const gatedTurn = defineComposite({
  id: "gated-turn",
  version: "1.0.0",
  input: request,
  output: decision
    .pick({ decision: true, reasonCode: true, nextTurnAllowed: true, nextTurnReason: true })
    .extend({ verdict: z.enum(["go", "stop"]) }),
  steps: (steps) =>
    steps
      .call("review", reviewPlan, ({ input }) => ({
        objective: input.objective,
        allowedTools: input.allowedTools,
      }))
      .call("turn", boundedTurn, ({ input }) => ({
        loopId: input.loopId,
        objective: input.objective,
        turnsClosed: input.turnsClosed,
        turnsMax: input.turnsMax,
        previousSummary: input.previousSummary,
        requestedTool: input.requestedTool,
        allowedTools: input.allowedTools,
        needsReview: input.needsReview,
      }))
      .output(({ review, turn }) => ({
        verdict: review.output.verdict,
        decision: turn.output.decision,
        reasonCode: turn.output.reasonCode,
        nextTurnAllowed: turn.output.nextTurnAllowed,
        nextTurnReason: turn.output.nextTurnReason,
      })),
});
