/**
 * The port for operators of a process: whether it is alive, whether it is ready, and its metrics.
 */
import { createServer } from "node:http";
import { answerInTime } from "./answer-in-time.ts";
import { HEALTH_EVERY_MS, repeat } from "./watch-health.ts";

export interface DoorOptions {
  readonly bind: string;
  readonly port: number;
  /** Why no work should be expected of it now; undefined when it may be. */
  readonly whyUnready: () => Promise<string | undefined>;
  /** Why not, where that is known at once. */
  readonly whyUnreadyNow?: () => string | undefined;
  /** Why it has left its address for now, though it lives; undefined if it has not. */
  readonly whyAway?: () => string | undefined;
  /** Problems that do not keep it from taking work. */
  readonly listNotes?: () => readonly string[];
  readonly renderMetrics: () => string;
}

export interface Door {
  readonly port: number;
  close(): void;
}

export async function openDoor({
  bind,
  port,
  whyUnready,
  whyUnreadyNow = () => undefined,
  whyAway = () => undefined,
  listNotes = () => [],
  renderMetrics,
}: DoorOptions): Promise<Door> {
  const whyNotReady = answerInTime(whyUnready);
  // There is always an answer that is not old, also for who asks seldom.
  const again = repeat(async () => void (await whyNotReady()), HEALTH_EVERY_MS);
  const answer = async (path: string): Promise<readonly [number, string]> => {
    switch (path) {
      case "/health": {
        const why = whyAway();
        return why === undefined ? [200, "alive\n"] : [503, `away: ${why}\n`];
      }
      case "/ready": {
        const why = whyUnreadyNow() ?? (await whyNotReady());
        if (why !== undefined) return [503, `not ready: ${why}\n`];
        return [200, ["ready", ...listNotes().map((note) => `note: ${note}`), ""].join("\n")];
      }
      case "/metrics":
        return [200, renderMetrics()];
      default:
        return [404, "health, ready or metrics\n"];
    }
  };
  const server = createServer((request, response) => {
    void answer(request.url ?? "").then(([status, text]) => {
      response.writeHead(status, { "content-type": "text/plain; version=0.0.4" });
      response.end(text);
    });
  });
  await new Promise<void>((resume, reject) => {
    server.once("error", reject);
    server.listen(port, bind, () => resume());
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: () => {
      again.close();
      server.close();
      server.closeAllConnections();
    },
  };
}
