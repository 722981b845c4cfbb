/** The network between a page and the server: all of its connections can be cut at any moment. */

import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

export interface CutProxy {
  readonly port: number;
  /** Cuts what is open now. */
  cut(): void;
  close(): Promise<void>;
}

export async function openCutProxy(targetPort: number): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  const hold = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
  };
  const server = createServer((page) => {
    const target = connect(targetPort, "127.0.0.1");
    hold(page);
    hold(target);
    page.pipe(target).pipe(page);
    page.on("close", () => target.destroy());
    target.on("close", () => page.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
