/** A provider over HTTP, in OpenAI's shape, that can be away: it refuses every connection then. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface TillServer {
  readonly url: string;
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

/** Asks for one payment after the other, and decides by the conversation alone. */
export async function openTillServer(payments: number): Promise<TillServer> {
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      const { messages } = JSON.parse(text) as { readonly messages: { readonly role: string }[] };
      const paid = messages.filter(({ role }) => role === "tool").length;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(paid < payments ? askToPay(paid) : END));
    });
  });
  let port = 0;
  const comeBack = (): Promise<void> =>
    new Promise((listening) => server.listen(port, "127.0.0.1", listening));
  await comeBack();
  ({ port } = server.address() as AddressInfo);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    comeBack,
    goAway: async () => {
      const closed = new Promise((resume) => server.close(resume));
      server.closeAllConnections();
      await closed;
    },
  };
}

const END = answer({ content: "done" }, "stop");

function askToPay(paid: number): object {
  const call = { name: "local__pay", arguments: "{}" };
  const calls = [{ id: `call-${paid}`, type: "function", function: call }];
  return answer({ tool_calls: calls }, "tool_calls");
}

function answer(message: object, reason: string): object {
  const choice = { index: 0, message: { role: "assistant", ...message }, finish_reason: reason };
  return { id: "1", choices: [choice] };
}
