/**
 * The database address for workers, like a load balancer's: it leads to the current primary, and it
 * can cut a connection at the very moment of a commit.
 */
import { connect, createServer, type Server, type Socket } from "node:net";

export interface DatabaseGate {
  readonly port: number;
  /** Sends new connections to this port from now on; open ones break. */
  leadTo(port: number): void;
  /**
   * Cuts the connection of every so many appends: the statement arrives, and nobody hears the
   * answer. 0 ends it.
   */
  cutEvery(appends: number): void;
  cuts(): number;
  close(): void;
}

/** Statements that move a run, by the names that they are prepared under. */
const names = ["append-events", "append-turn", "take-epoch"].map((name) => Buffer.from(name));

export async function openGate(target: number): Promise<DatabaseGate> {
  const sockets = new Set<Socket>();
  let port = target;
  let every = 0;
  let seen = 0;
  let cuts = 0;
  const isHit = (chunk: Buffer): boolean => {
    if (every === 0 || !names.some((name) => chunk.includes(name))) return false;
    seen += 1;
    return seen % every === 0;
  };
  const server: Server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port, host: "127.0.0.1", noDelay: true });
    let isCut = false;
    client.on("data", (chunk) => {
      if (isCut) return;
      upstream.write(chunk);
      if (!isHit(chunk)) return;
      isCut = true;
      cuts += 1;
      // Half of them break at once, and half when the server has answered.
      if (cuts % 2 === 0) upstream.end(() => client.destroy());
    });
    upstream.on("data", (chunk) => {
      if (!isCut) client.write(chunk);
      else client.destroy();
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return {
    port: address.port,
    leadTo: (other) => {
      port = other;
      for (const socket of sockets) socket.destroy();
    },
    cutEvery: (appends) => {
      every = appends;
    },
    cuts: () => cuts,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
