/**
 * A server with the API of a provider, whose model repairs a wrong operator. Like a model, it knows
 * only what it is sent: it reads the report of the tests, the test, and the file that the test
 * imports, and computes the edit from them.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { posix } from "node:path";

interface Result {
  readonly verb: string;
  readonly target?: string;
  readonly status: "ok" | "error";
  readonly output?: {
    readonly path?: string;
    readonly text?: string;
    readonly version?: string;
    readonly stdout?: string;
    readonly errors?: boolean;
    readonly matches?: readonly { readonly path: string }[];
  };
  readonly error?: { readonly code: string; readonly reason?: string };
}

interface Decision {
  readonly actions: readonly object[];
  readonly done: boolean;
  readonly answer?: string;
}

export interface CoderModel {
  readonly url: string;
  /** The texts of each request. */
  readonly requests: readonly string[];
  /** A hook that runs before each answer, with the number of the request. */
  onRequest: (count: number) => Promise<void> | void;
  close(): Promise<void>;
}

/** Starts the server on a free port. */
export async function openCoderModel(): Promise<CoderModel> {
  const requests: string[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const sent = JSON.parse(await readBody(request)) as Sent;
    const texts = sent.messages.map(({ content }) => String(content));
    requests.push(texts.join("\n"));
    await model.onRequest(requests.length);
    const message = sent.tools === undefined ? { content: answer(texts) } : callTool(sent, texts);
    const usage = { prompt_tokens: 400, completion_tokens: 40, total_tokens: 440 };
    const choice = { index: 0, message: { role: "assistant", ...message }, finish_reason: "stop" };
    const id = { id: "1", object: "chat.completion", created: 1, model: "coder" };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...id, choices: [choice], usage }));
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const model: CoderModel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    onRequest: () => {},
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return model;
}

interface Message {
  readonly role: string;
  readonly content: unknown;
}

interface Sent {
  readonly messages: readonly Message[];
  readonly tools?: readonly unknown[];
}

/** The same decisions of a model that calls tools. */
function callTool({ messages }: Sent, texts: readonly string[]): object {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const told = messages.slice(last + 1).filter(({ role }) => role === "tool");
  const results = told.map(({ content }): Result => {
    const output = JSON.parse(String(content));
    if (output.error !== undefined) return { verb: "", status: "error", error: output };
    const errors = output.exit === undefined ? {} : { errors: output.exit !== 0 };
    return { verb: "", status: "ok", output: { ...output, ...errors } };
  });
  const { actions, answer: words } = decide(results, texts.join("\n"));
  const [action] = actions as readonly { verb: string; target: string; args: string[] }[];
  if (action === undefined) return { content: words };
  const { verb, target, args } = action;
  const [from, to, version] = args;
  const inputs: Readonly<Record<string, readonly [string, object]>> = {
    test: ["test__run", {}],
    search: ["fs__grep", { pattern: target }],
    read: ["fs__read", { path: target }],
    edit: ["fs__edit", { path: target, version, edits: [{ from, to }] }],
  };
  const [name, input] = inputs[verb] ?? ["", {}];
  const call = { name, arguments: JSON.stringify(input) };
  return { content: null, tool_calls: [{ id: `call${last}`, type: "function", function: call }] };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
}

const RESULTS = "What the actions before gave:\n";

/** A review is words; a decision is JSON. */
function answer(texts: readonly string[]): string {
  const asked = texts.findLast((text) => text.includes(RESULTS));
  if (asked === undefined) return review(texts.join("\n"));
  const shown = asked.slice(asked.indexOf(RESULTS) + RESULTS.length);
  const results = JSON.parse(shown) as readonly Result[];
  return JSON.stringify(decide(results, texts.join("\n")));
}

function review(text: string): string {
  const added = [...text.matchAll(/^\+(?!\+)(.*)$/gm)].map(([, line = ""]) => line.trim());
  return added.length === 0 ? "Nothing is changed." : `The new line \`${added[0]}\` has no test.`;
}

function decide(results: readonly Result[], all: string): Decision {
  const refused = results.find(({ error }) => error !== undefined)?.error;
  if (refused !== undefined) return stop(`I could not go on: ${refused.reason ?? refused.code}`);
  const outputs = results.map(({ output }) => output ?? {});
  const report = outputs.find(({ errors }) => errors !== undefined);
  const [file] = outputs.flatMap(({ matches = [] }) => matches).map(({ path }) => path);
  const text = outputs.find((output) => output.text !== undefined);
  if (report?.errors === false) {
    const changed =
      /note: edit (\S+): ok/.exec(all)?.[1] ?? /"path":"([^"]+)","version"/.exec(all)?.[1];
    return stop(
      changed === undefined
        ? "The tests pass, and nothing was changed."
        : `The tests pass. I changed an operator in ${changed}. Nothing is left to do.`,
    );
  }
  if (report !== undefined) {
    const [, name = ""] = /(?:✖|not ok \d+ -) (\w+)/.exec(report.stdout ?? "") ?? [];
    return act({ verb: "search", target: `test\\("${name}"`, args: [] });
  }
  if (text?.path?.includes(".test.") === true) {
    const [, source = ""] = /from "(\.[^"]+)"/.exec(text.text ?? "") ?? [];
    return read(posix.join(posix.dirname(text.path), source));
  }
  if (text !== undefined) return repair(text as Required<typeof text>, all);
  if (file !== undefined) return read(file);
  return act({ verb: "test", args: [] });
}

const OPERATORS: Readonly<Record<string, (one: number, other: number) => number>> = {
  "+": (one, other) => one + other,
  "-": (one, other) => one - other,
  "*": (one, other) => one * other,
};

/** Finds the operator that gives what the test expects. */
function repair({ path, text, version }: Required<Result["output"] & object>, all: string) {
  const [piece = "", left, , right] = /(\w+) ([-+*]) (\w+)/.exec(text) ?? [];
  const [, start = "0"] = /, (\d+)\)/.exec(text) ?? [];
  const [, given = "", wanted] = /\(\[([\d, ]+)\]\), (\d+)\)/.exec(all) ?? [];
  const numbers = given.split(",").map(Number);
  const [operator] =
    Object.entries(OPERATORS).find(
      ([, apply]) => numbers.reduce(apply, Number(start)) === Number(wanted),
    ) ?? [];
  if (operator === undefined) return stop(`I do not understand ${path}`);
  const args = [piece, `${left} ${operator} ${right}`, version];
  return act({ verb: "edit", target: path, args });
}

function read(target: string): Decision {
  return act({ verb: "read", target, args: [] });
}

function act(action: object): Decision {
  return { actions: [action], done: false };
}

function stop(words: string): Decision {
  return { actions: [], done: true, answer: words };
}
