/** Runs as the engine asks for them: what a server of HTTP/2 answers with. */
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { isLoopError } from "@turnseal/protocol";
import { createRunObject, type RunObjectOptions } from "./run-object.ts";

export interface RunEndpointOptions extends RunObjectOptions {
  /** The engines that are listened to, by their public keys: without any, whoever asks. */
  readonly identityKeys: readonly string[];
  /** Told that the engine's library has something to say, how grave it is, and our code for it. */
  readonly onNotice: (level: string, code: string | undefined) => void;
}

/** The handler of requests, signed by an engine that is known. */
export function createRunEndpoint({
  identityKeys,
  onNotice,
  ...options
}: RunEndpointOptions): ReturnType<typeof createEndpointHandler> {
  return createEndpointHandler({
    services: [createRunObject(options)],
    ...(identityKeys.length === 0 ? {} : { identityKeys: [...identityKeys] }),
    // What it says may quote what a handler was given.
    logger: ({ level }, ...said: unknown[]) => onNotice(level, said.find(isLoopError)?.code),
  });
}
