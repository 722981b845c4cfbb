/** Runs as the engine asks for them: what a server of HTTP/2 answers with. */
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { isLoopError, nameOfError } from "@turnseal/protocol";
import { createLaneObject } from "./lane-object.ts";
import { createReleaseService } from "./release-service.ts";
import { parseRunKey, type RunKey } from "./run-key.ts";
import { createRunObject } from "./run-object.ts";
import type { RunObjectOptions } from "./run-options.ts";

export interface RunEndpointOptions extends RunObjectOptions {
  /** The public keys of the engines that may call: without any, every caller may. */
  readonly identityKeys: readonly string[];
  /** Called with notices of the engine's library. */
  readonly onNotice: (notice: EngineNotice) => void;
}

export interface EngineNotice {
  /** How grave it is. */
  readonly level: string;
  /** Our code for it, or the name of the error; absent if it is no error. */
  readonly code?: string;
  /** The run that it is about, where it is about one. */
  readonly run?: RunKey;
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
      // The notice may quote a handler's input.
      logger: (about, ...said: unknown[]) => onNotice(describeNotice(about, said)),
    });
  const runs = serve([createRunObject(options), createLaneObject()]);
  if (options.releases === undefined) return runs;
  const release = serve([createReleaseService(options, options.releases)]);
  const choose: (...asked: Parameters<Endpoint>) => void = (request, response) =>
    (request.url?.startsWith(RELEASES_PATH) === true ? release : runs)(request, response);
  return choose as Endpoint;
}

interface NoticeOrigin {
  readonly level: string;
  readonly context?: { readonly key?: string | undefined };
}

function describeNotice({ level, context }: NoticeOrigin, said: readonly unknown[]): EngineNotice {
  const error = said.find(isLoopError) ?? said.find((word) => word instanceof Error);
  const run = parseRunKey(context?.key ?? "");
  return {
    level,
    ...(error === undefined ? {} : { code: isLoopError(error) ? error.code : nameOfError(error) }),
    ...(run === undefined ? {} : { run }),
  };
}

type Endpoint = ReturnType<typeof createEndpointHandler>;
type EndpointServices = Parameters<typeof createEndpointHandler>[0]["services"];

const RELEASES_PATH = "/releases/";

/** Where the service of a release is, below the address of its workers. */
export function formatReleaseUri(uri: string, release: string): string {
  return `${uri}${RELEASES_PATH}${release}`;
}
