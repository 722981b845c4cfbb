/**
 * The two pipes of a server that is a program.
 *
 * 1. One message is one line. A line or a flood past its limit kills the program.
 * 2. The program never holds this process open: who waits for an answer has a timer.
 */
import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";
import { killGroup, watchMemory } from "@turnseal/tools";
import {
  COMPLAINT_LENGTH_MAX,
  MESSAGE_BYTES_MAX,
  STOP_MS,
  UNANSWERED_BYTES_MAX,
} from "../limits.ts";

export interface ProgramTransport extends Transport {
  /** What the program last wrote to its standard error. */
  complaint(): string;
}

const NEWLINE = 10;

/** `start` starts the program. `end` is called when it has ended, and may be called again. */
export function programTransport(
  start: () => Promise<ChildProcess>,
  end: () => void,
): ProgramTransport {
  let child: ChildProcess | undefined;
  let said = "";
  const asked = new Set<RequestId>();
  const onExit = () => {
    if (child !== undefined) killGroup(child);
    end();
  };
  const outer: ProgramTransport = {
    complaint: () => said.trim(),
    start: async () => {
      const started = await start();
      child = started;
      for (const part of [started, started.stdin, started.stdout, started.stderr])
        (part as Socket | null)?.unref?.();
      process.once("exit", onExit);
      const fail = (error: Error) => {
        outer.onerror?.(error);
        killGroup(started);
      };
      const unwatch = watchMemory(started.pid ?? 0, () =>
        fail(new Error("the server uses too much memory")),
      );
      const onMessage = (message: JSONRPCMessage): boolean => {
        const isAnswer = !("method" in message) && asked.delete(message.id as RequestId);
        outer.onmessage?.(message);
        return isAnswer;
      };
      readLines(started, { onMessage, fail });
      started.stderr?.on("data", (part: Buffer) => {
        said = (said + part.toString("utf8")).slice(-COMPLAINT_LENGTH_MAX);
      });
      started.stdin?.on("error", () => {});
      started.on("close", () => {
        process.off("exit", onExit);
        unwatch();
        child = undefined;
        killGroup(started);
        end();
        outer.onclose?.();
      });
      await whenStarted(started);
    },
    send: (message) => {
      const input = child?.stdin;
      if (input == null || input.destroyed)
        return Promise.reject(new Error("the program of the server has ended"));
      // A program that does not read would fill the memory with answers to its own requests.
      if (input.writableLength > MESSAGE_BYTES_MAX)
        return Promise.reject(new Error("the program of the server does not read its input"));
      if ("method" in message && "id" in message) asked.add(message.id);
      return new Promise((resolve, reject) => {
        input.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
      });
    },
    close: async () => {
      if (child !== undefined) await stop(child);
      end();
    },
  };
  return outer;
}

function whenStarted(child: ChildProcess): Promise<void> {
  if (child.pid !== undefined) return Promise.resolve();
  return new Promise((resolve, reject) => {
    child.once("spawn", () => resolve());
    child.once("error", reject);
  });
}

/** A program that has read the end of its input ends. One that does not is killed. */
function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => killGroup(child), STOP_MS);
    child.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
    child.ref();
    child.stdin?.end();
  });
}

interface LineReader {
  /** True for an answer to a request. */
  onMessage(message: JSONRPCMessage): boolean;
  fail(error: Error): void;
}

function readLines({ stdout }: ChildProcess, { onMessage, fail }: LineReader): void {
  let parts: Buffer[] = [];
  let [held, unanswered] = [0, 0];
  stdout?.on("data", (chunk: Buffer) => {
    unanswered += chunk.length;
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      const line = Buffer.concat([...parts, rest.subarray(0, end)]);
      [parts, held, rest] = [[], 0, rest.subarray(end + 1)];
      const message = parseLine(line);
      if (message === undefined) continue;
      if (onMessage(message)) unanswered = 0;
    }
    held += rest.length;
    if (rest.length > 0) parts.push(rest);
    if (held > MESSAGE_BYTES_MAX) fail(new Error("the server sent a message that is too long"));
    else if (unanswered > UNANSWERED_BYTES_MAX) fail(new Error("the server floods its output"));
  });
}

/** Some programs also print other lines: they are dropped. */
function parseLine(line: Buffer): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(line.toString("utf8"));
    const { jsonrpc } = Object(value) as { readonly jsonrpc?: unknown };
    // The client checks the rest against its own schema.
    return jsonrpc === "2.0" && !Array.isArray(value) ? (value as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}
