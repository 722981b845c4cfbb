/** A network between the driver and the server that breaks on command. */
import { connect as connectTo, createServer, type Server, type Socket } from "node:net";

/** Before: the next question does not arrive. After: it arrives, and its answer does not. */
export type Cut = "before" | "after";

export interface CuttingProxy {
  /** The address of the same database through the proxy. */
  readonly url: string;
  /** Cuts the connection of the next question that names this; once. */
  cutNext(cut: Cut, word: string, whileCut?: () => Promise<void>): void;
  /** How many connections were cut. */
  cuts(): number;
  close(): Promise<void>;
}

interface Plan {
  readonly cut: Cut;
  readonly word: string;
  readonly whileCut: () => Promise<void>;
}

export async function openCuttingProxy(url: string): Promise<CuttingProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let plan: Plan | undefined;
  let cuts = 0;
  const server: Server = createServer((client) => {
    const upstream = connectTo(Number(target.port || 5432), target.hostname);
    let isDoomed = false;
    const cut = (whileCut: () => Promise<void>): void => {
      cuts += 1;
      upstream.destroy();
      void whileCut().finally(() => client.destroy());
    };
    let doomed: Plan | undefined;
    client.on("data", (chunk) => {
      if (isDoomed) return;
      const isHit = plan !== undefined && chunk.includes(plan.word);
      if (isHit) {
        [doomed, plan] = [plan, undefined];
        if (doomed?.cut === "before") {
          isDoomed = true;
          cut(doomed.whileCut);
          return;
        }
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (isDoomed) return;
      if (doomed === undefined) {
        client.write(chunk);
        return;
      }
      isDoomed = true;
      cut(doomed.whileCut);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => {
      if (!isDoomed) client.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const through = new URL(url);
  through.hostname = "127.0.0.1";
  through.port = String(typeof address === "object" ? address?.port : "");
  return {
    url: through.href,
    cutNext: (cut, word, whileCut = async () => {}) => {
      plan = { cut, word, whileCut };
    },
    cuts: () => cuts,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
