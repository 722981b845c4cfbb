/** Starts an agent of a module over HTTP, and reads how its run ends. */

import type { RunState } from "@turnseal/host";
import { findFreePort } from "@turnseal/runtime/engine";
import { startProgram } from "./start-program.test.data.ts";

export interface Served {
  readonly from: string;
  readonly store: string;
  readonly agent: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface ServedEnd {
  /** How the run stands, asked for. */
  readonly state: RunState;
  /** The frames of its stream: the state, and the events before it. */
  readonly told: RunState;
  readonly events: readonly { readonly type: string; readonly content: { error?: string } }[];
}

/** `turnseal serve`, until the process gets a signal. */
export async function askServed(served: Served): Promise<ServedEnd> {
  const runs = `${await openServer(served)}/v1/runs`;
  const started = await fetch(runs, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ agent: served.agent, input: {} }),
  });
  const { run } = (await started.json()) as { run: string };
  const streamed = await readStream(`${runs}/${run}/stream`);
  const state = (await (await fetch(`${runs}/${run}`)).json()) as RunState;
  return { state, ...streamed };
}

async function openServer({ from, store, environment }: Served): Promise<string> {
  const place = ["--from", from, "--store", store, "--port", String(await findFreePort())];
  const served = startProgram(["serve", "--insecure-localhost", ...place], environment);
  const refused = served.ended.then((code): never => {
    throw new Error(`the server ended with ${code}: ${served.out()}${served.err()}`);
  });
  return Promise.race([served.ready, refused]);
}

/** Reads until the run stands still. */
async function readStream(url: string): Promise<Omit<ServedEnd, "state">> {
  const leaving = new AbortController();
  const { body } = await fetch(url, { signal: leaving.signal });
  const events: ServedEnd["events"][number][] = [];
  let text = "";
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = `${text}${chunk}`.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, name, data = "null"] = /^event: (\S+)$.*?^data: ([^\n]*)$/ms.exec(block) ?? [];
      if (name === "event") events.push(JSON.parse(data));
      if (name !== "state") continue;
      const told = JSON.parse(data) as RunState;
      if (told.status === "running") continue;
      leaving.abort();
      return { told, events };
    }
  }
  throw new Error("the stream ended before the run did");
}
