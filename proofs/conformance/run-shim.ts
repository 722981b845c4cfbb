import type { Readable, Writable } from "node:stream";
import { createLineReader } from "@turnseal/conformance/program";
import { formatErrorChain, isPlainObject } from "@turnseal/protocol";
import { createShim } from "./create-shim.ts";

/** Answers the requests of a conformance suite, one line each, until its input ends. */
export async function runShim(stdin: Readable, stdout: Writable): Promise<void> {
  const methods = createShim();
  const readLines = createLineReader();
  for await (const chunk of stdin) {
    for (const line of readLines(chunk as Buffer)) {
      stdout.write(`${JSON.stringify(await answerLine(line, methods))}\n`);
    }
  }
  await methods.get("reset")?.({});
}

async function answerLine(
  line: string,
  methods: ReturnType<typeof createShim>,
): Promise<Readonly<Record<string, unknown>>> {
  const request = parseRequest(line);
  if (request === undefined) return { id: null, error: { message: "the line is no request" } };
  const { id, method, params } = request;
  // Any other value may not even become a string.
  if (typeof method !== "string") return { id, error: { message: "the method is no text" } };
  const answer = methods.get(method);
  if (answer === undefined) return { id, error: { message: `no method is called ${method}` } };
  try {
    return { id, result: await answer(params) };
  } catch (error) {
    return { id, error: { message: formatErrorChain(error) } };
  }
}

function parseRequest(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const request: unknown = JSON.parse(line);
    return isPlainObject(request) ? request : undefined;
  } catch {
    return undefined;
  }
}
