import { createServer } from "node:net";

/** The first of these ports of this machine that is in use. */
export async function findTakenPort(ports: readonly number[]): Promise<number | undefined> {
  for (const port of ports) if (!(await isFree(port))) return port;
  return undefined;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resume) => {
    const server = createServer();
    server.once("error", () => resume(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resume(true)));
  });
}
