/** The body of a prompt loop: one request to a model. */
import type { JsonValue, PromptSpec } from "@turnseal/protocol";
import { backendOf, buildRequest } from "../context/build-request.ts";
import { readAnswer } from "../context/read-answer.ts";
import type { CheckedLoop } from "../definition/check-loop.ts";
import type { Frame } from "../frame.ts";
import { fail, type Outcome } from "../outcome.ts";
import type { World } from "../world.ts";
import { boundsOf, runBounded } from "./run-bounded.ts";
import { settleAction } from "./settle-action.ts";

/** Asks the model once and reads its answer. */
export async function runModel(
  loop: CheckedLoop,
  prompt: PromptSpec,
  input: JsonValue,
  { frame, world }: { readonly frame: Frame; readonly world: World },
): Promise<Outcome<JsonValue>> {
  const backend = backendOf(loop.definition);
  const model = world.models.get(backend.id);
  if (model === undefined)
    return fail("BACKEND_FAILED", `no model is bound to backend ${backend.id}`);
  const built = buildRequest(loop, prompt, input);
  if (built.kind === "error") return built;

  const name = backend.model ?? model.defaultModel;
  const { request, promptLength } = built.value;
  const deadlineAt = new Date(frame.deadlineAt).toISOString();
  const claimedMs = frame.record({
    type: "action.claimed",
    content: { action: "model", backend: backend.id, model: name, promptLength, deadlineAt },
  });
  // A model is foreign code: its answer is read inside, where whatever goes wrong is its failure.
  const bounded = await runBounded(boundsOf(frame, world), async (signal) =>
    readAnswer(await model.generate({ ...request, model: name, signal }), backend.id),
  );
  if (bounded.kind !== "done") {
    return settleAction(bounded, { action: "model", name: backend.id, claimedMs }, frame);
  }
  const { inputTokens, outputTokens, output } = bounded.value;
  frame.recordSince(claimedMs, (durationMs) => ({
    type: "action.settled",
    content: { action: "model", status: "ok", durationMs, inputTokens, outputTokens },
  }));
  return output;
}
