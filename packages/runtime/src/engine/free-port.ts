import { createServer } from "node:net";
import type { EnginePorts } from "./engine-config.ts";

/** A free port of this machine. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume));
  const address = server.address();
  await new Promise((resume) => server.close(resume));
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}

/** Ports for an engine. */
export async function findEnginePorts(): Promise<EnginePorts> {
  const [node, ingress, admin] = [findFreePort(), findFreePort(), findFreePort()];
  return { node: await node, ingress: await ingress, admin: await admin };
}
