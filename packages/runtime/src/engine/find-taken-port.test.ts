import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { findTakenPort } from "./find-taken-port.ts";

test("a port is taken while somebody listens on it, and only then", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  expect(await findTakenPort([port])).toBe(port);
  server.close();
  await once(server, "close");
  expect(await findTakenPort([port])).toBeUndefined();
});
