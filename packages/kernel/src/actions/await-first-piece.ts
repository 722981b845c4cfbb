import { ModelError } from "@turnseal/ports";
import type { ActGiven } from "../step/action.ts";

interface Waiting {
  readonly signal: AbortSignal;
  readonly onFirstPiece: () => void;
}

/**
 * Asks a model, and gives it up when nothing of its answer has come in time. The request may have
 * been worked on all the same, so that it is a failure that is paid for.
 */
export async function awaitFirstPiece<Answer>(
  ask: (waiting: Waiting) => Promise<Answer>,
  { signal, after }: Pick<ActGiven, "signal" | "after">,
  { name, limitMs }: { readonly name: string; readonly limitMs: number },
): Promise<Answer> {
  const silence = Promise.withResolvers<never>();
  const controller = new AbortController();
  const stop = after(limitMs, () => {
    const message = `${name} gave nothing of its answer within ${limitMs} ms`;
    silence.reject(new ModelError({ code: "MODEL_FAILED", retry: "retry", message }));
    controller.abort();
  });
  try {
    const either = AbortSignal.any([signal, controller.signal]);
    return await Promise.race([ask({ signal: either, onFirstPiece: stop }), silence.promise]);
  } finally {
    stop();
  }
}
