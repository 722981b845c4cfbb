/** Serves the engines that are known, and leaves their address while it refuses them. */
import type { createRunEndpoint } from "@turnseal/host/restate";
import { createSignatureJudge } from "./judge-signature.ts";
import { type RunServer, serveRuns } from "./serve-runs.ts";
import { type Refusals, watchRefusals } from "./watch/watch-refusals.ts";
import type { WorkerLog } from "./worker-log.ts";
import type { WorkerOptions } from "./worker-options.ts";

export interface EngineServer extends Pick<RunServer, "port" | "drain"> {
  readonly refusals: Pick<Refusals, "whyRefused" | "hasLeftOnce" | "isAway">;
}

export async function serveEngine(
  handler: ReturnType<typeof createRunEndpoint>,
  { bind = "127.0.0.1", port = 0, sharesPort = false, identityKeys }: WorkerOptions,
  log: WorkerLog,
): Promise<EngineServer> {
  const refusals = watchRefusals({
    judge: createSignatureJudge(identityKeys),
    leave: () => server.leave(),
    listen: () => server.listen(),
    log,
  });
  const { onRequest, onRefused } = refusals;
  const server = await serveRuns(handler, { bind, port, sharesPort, onRequest, onRefused });
  return {
    port: server.port,
    refusals,
    drain: (maxMs) => {
      refusals.close();
      return server.drain(maxMs);
    },
  };
}
