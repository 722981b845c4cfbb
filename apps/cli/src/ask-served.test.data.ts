/** Starts an agent of a module over HTTP, and reads how its run ends. */
import { createServer } from "node:net";
import { PassThrough, Readable } from "node:stream";
import type { RunState } from "@turnseal/host";
import { runProgram } from "./program.ts";
import { createScreen } from "./terminal/screen.ts";

export interface Served {
  readonly from: string;
  readonly store: string;
  readonly agent: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface ServedEnd {
  /** How the run stands, asked for. */
  readonly state: RunState;
  /** What its stream said: the state, and what came before it. */
  readonly told: RunState;
  readonly events: readonly { readonly type: string; readonly content: { error?: string } }[];
}

/** `turnseal serve`, until the process is told to stop. */
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
  const stdout = new PassThrough();
  const place = ["--from", from, "--store", store, "--port", String(await findPort())];
  const ended = runProgram(["serve", "--insecure-localhost", ...place], {
    ...{ environment, stdin: Readable.from([]), stdout, stderr: stdout },
    terminal: { out: createScreen(stdout, {}), err: createScreen(stdout, {}) },
  });
  let out = "";
  const ready = new Promise<string>((resolve) => {
    stdout.on("data", (chunk) => {
      out += String(chunk);
      const url = /serving (\S+)/.exec(out)?.[1];
      if (url !== undefined && out.includes("Ctrl-C")) resolve(url);
    });
  });
  const refused = ended.then((code): never => {
    throw new Error(`the server ended with ${code}: ${out}`);
  });
  return Promise.race([ready, refused]);
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

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
