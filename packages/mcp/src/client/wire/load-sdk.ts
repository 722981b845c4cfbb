/** The client of the protocol, which only those who connect to a server have installed. */
import { notDone } from "@turnseal/protocol/authoring";

export type Sdk = typeof import("@modelcontextprotocol/client");

export async function loadSdk(): Promise<Sdk> {
  try {
    return await import("@modelcontextprotocol/client");
  } catch {
    throw notDone(
      "the client of MCP is not installed on this machine: npm install @modelcontextprotocol/client",
    );
  }
}
