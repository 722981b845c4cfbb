/**
 * How a message reaches a run under an engine: through the ingress, to `deliver`. It answers once
 * the row is durable.
 */
import type { InboxMessage, PutAnswer } from "@turnseal/ports";
import { type JsonValue, LoopError } from "@turnseal/protocol";
import type { Look } from "../decide/look.ts";
import { formatRunKey } from "./run-key.ts";
import { RUN_OBJECT } from "./run-object.ts";

export interface IngressOptions {
  /** Where the engine takes messages, such as `http://127.0.0.1:8080`. */
  readonly ingress: string;
  readonly tenant: string;
  readonly post: Post;
}

/**
 * The operator's way to the network: sends JSON, or nothing, and answers with what came back. It
 * MUST reject when nothing came back in time.
 */
export type Post = (
  url: string,
  body: JsonValue | undefined,
) => Promise<{ readonly status: number; readonly text: string }>;

export interface Ingress {
  put(message: InboxMessage): Promise<PutAnswer>;
  /** Has a run look at its log, in case a message was lost. */
  look(run: string): Promise<void>;
  /** The same for many, at most LOOKS_MAX, each at its time. */
  lookAll(looks: readonly Look[]): Promise<void>;
}

export const ENGINE_ERROR_CODES = ["ENGINE_UNREACHABLE", "ENGINE_REFUSED"] as const;
export type EngineErrorCode = (typeof ENGINE_ERROR_CODES)[number];

/** A failure to send a message to its run. */
export class EngineError extends LoopError<EngineErrorCode> {}

export function createIngress({ ingress, tenant, post }: IngressOptions): Ingress {
  const call = async (run: string, handler: string, body?: JsonValue): Promise<string> => {
    const key = encodeURIComponent(formatRunKey({ tenant, run }));
    const url = `${ingress}/${RUN_OBJECT}/${key}/${handler}`;
    const answer = await post(url, body).catch((cause: unknown) => {
      const message = `the engine at ${ingress} does not answer`;
      throw new EngineError({ code: "ENGINE_UNREACHABLE", retry: "retry", message, cause });
    });
    if (answer.status >= 200 && answer.status < 300) return answer.text;
    const message = `the engine at ${ingress} answered ${answer.status}`;
    throw new EngineError({ code: "ENGINE_REFUSED", retry: "never", message });
  };
  return {
    put: async ({ run, key, kind, body }) =>
      JSON.parse(await call(run, "deliver", { key, kind, body })) as PutAnswer,
    look: async (run) => {
      await call(run, "look");
    },
    lookAll: async (looks) => {
      const [first] = looks;
      if (first === undefined) return;
      await call(first.run, "lookAll", looks as unknown as JsonValue);
    },
  };
}
