/** Runs as the engine asks for them: what a server of HTTP/2 answers with. */
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { isLoopError } from "@turnseal/protocol";
import { createLaneObject } from "./lane-object.ts";
import { createReleaseService } from "./release-service.ts";
import { createRunObject } from "./run-object.ts";
import type { RunObjectOptions } from "./run-options.ts";

export interface RunEndpointOptions extends RunObjectOptions {
  /** The engines that are listened to, by their public keys: without any, whoever asks. */
  readonly identityKeys: readonly string[];
  /** Told that the engine's library has something to say, how grave it is, and our code for it. */
  readonly onNotice: (level: string, code: string | undefined) => void;
}

/**
 * The handler of requests, signed by an engine that is known. Runs and lanes are at the root; the
 * service of the release has an address of its own below it, so that it can be registered without
 * them.
 */
export function createRunEndpoint({
  identityKeys,
  onNotice,
  ...options
}: RunEndpointOptions): Endpoint {
  const serve = (services: EndpointServices): Endpoint =>
    createEndpointHandler({
      services,
      ...(identityKeys.length === 0 ? {} : { identityKeys: [...identityKeys] }),
      // What it says may quote what a handler was given.
      logger: ({ level }, ...said: unknown[]) => onNotice(level, said.find(isLoopError)?.code),
    });
  const runs = serve([createRunObject(options), createLaneObject()]);
  if (options.releases === undefined) return runs;
  const release = serve([createReleaseService(options, options.releases)]);
  const choose: (...asked: Parameters<Endpoint>) => void = (request, response) =>
    (request.url?.startsWith(RELEASES_PATH) === true ? release : runs)(request, response);
  return choose as Endpoint;
}

type Endpoint = ReturnType<typeof createEndpointHandler>;
type EndpointServices = Parameters<typeof createEndpointHandler>[0]["services"];

const RELEASES_PATH = "/releases/";

/** Where the service of a release is, below the address of its workers. */
export function formatReleaseUri(uri: string, release: string): string {
  return `${uri}${RELEASES_PATH}${release}`;
}
