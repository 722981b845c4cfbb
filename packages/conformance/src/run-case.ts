import { checkCase, type Observation } from "./checks/check-case.ts";
import {
  parseCallAnswer,
  parseGetAnswer,
  parseListAnswer,
  parseLoadAnswer,
  type SeenCall,
} from "./program/answers.ts";
import type { Program } from "./program/start-program.ts";
import { ShapeError } from "./shape.ts";
import type { ConformanceCase } from "./vectors/conformance-case.ts";

/**
 * Runs one case against a program; the answer lists what is wrong. Throws when the program does not
 * answer as asked.
 */
export async function runCase(item: ConformanceCase, program: Program): Promise<string[]> {
  return checkCase(item.expect, await observeProgram(item, program));
}

async function observeProgram(
  { input, expect }: ConformanceCase,
  program: Program,
): Promise<Observation> {
  await program.ask("reset", {});
  const { documents } = parseLoadAnswer(
    await program.ask("load", { documents: input.documents, mode: input.mode ?? "strict" }),
    "load",
  );
  requireCount(documents, input.documents, "load.documents");

  const { loops: list } =
    expect.list === undefined
      ? { loops: [] }
      : parseListAnswer(await program.ask("list", {}), "list");
  const got: Observation["got"][number][] = [];
  for (const reference of input.get ?? []) {
    got.push(parseGetAnswer(await program.ask("get", reference), "get").document);
  }

  if (input.script !== undefined) await program.ask("script", input.script);
  return { documents, list, got, calls: await observeCalls(input, program) };
}

async function observeCalls(
  { calls = [], together }: ConformanceCase["input"],
  program: Program,
): Promise<SeenCall[]> {
  if (calls.length === 0) return [];
  const seen: SeenCall[] = [];
  for (const batch of together === true ? [calls] : calls.map((call) => [call])) {
    const answer = parseCallAnswer(await program.ask("call", { calls: batch }), "call");
    requireCount(answer.calls, batch, "call.calls");
    const { backendRequests, toolCalls } = answer;
    seen.push(...answer.calls.map((call) => ({ ...call, backendRequests, toolCalls })));
  }
  return seen;
}

function requireCount(
  answered: readonly unknown[],
  asked: readonly unknown[],
  where: string,
): void {
  if (answered.length !== asked.length) throw new ShapeError(where, `a list of ${asked.length}`);
}
