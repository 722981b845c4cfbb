// A client of a proxy that sends what it likes.
import { connect } from "node:net";
import type { CommandProxy } from "./open-proxy.ts";

/** Sends these bytes, and answers all that comes back until the connection ends. */
export async function say(proxy: CommandProxy, text: string): Promise<string> {
  const socket = connect({ path: proxy.socket });
  // A proxy may end the connection before it has read all.
  socket.on("error", () => {});
  socket.write(text);
  setTimeout(() => socket.end(), 400);
  let got = "";
  socket.on("data", (part) => (got += String(part)));
  await new Promise((resolve) => socket.once("close", resolve));
  return got;
}

export const lines = (...all: readonly string[]) => `${all.join("\r\n")}\r\n\r\n`;
