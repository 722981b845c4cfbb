/** The stdio protocol of the conformance suite: lines for our own runtime. */
import { PassThrough } from "node:stream";
import { isLoopError, isPlainObject } from "@turnseal/protocol";
import { createShim } from "../../conformance/create-shim.ts";
import { runShim } from "../../conformance/run-shim.ts";
import { breakCharacters, breakJson } from "../break-text.ts";
import { type Draft, timeAsync } from "../case-report.ts";
import type { Random } from "../random.ts";
import { listRequests, preparation, type Request } from "../valid-requests.ts";

const LINES_MAX = 6;

let known: readonly Request[] | undefined;
let methods: readonly string[] = [];

/** Sends a few lines, some of them broken: each gets one answer. */
export async function breakRequests(random: Random, draft: Draft): Promise<void> {
  known ??= await prepareRequests();
  draft.kind = "requests";
  const requests = known;
  const lines = Array.from({ length: 1 + random.below(LINES_MAX) }, () =>
    createLine(random.pick(requests), random),
  );
  // Most methods answer about a run, which has to be there.
  if (random.next() < 0.7) lines.unshift(...preparation.map((request) => JSON.stringify(request)));
  draft.subjects.push(...lines);
  const { answers, refusal } = await timeAsync(draft, () => exchange(lines));
  if (answers.length !== lines.length && refusal === undefined)
    draft.problems.push(`${answers.length} answers to ${lines.length} lines`);
  const kinds = answers.map(describeAnswer);
  if (kinds.includes("no answer")) draft.problems.push("what came back is no answer");
  draft.isAccepted = refusal === undefined && kinds.every((kind) => kind === "result");
  draft.outcomes.push(...kinds, ...(refusal === undefined ? [] : [refusal]));
}

/** A line that is too long, or is no text, ends the exchange with a typed error. */
async function exchange(
  lines: readonly string[],
): Promise<{ readonly answers: readonly string[]; readonly refusal: string | undefined }> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const written: Buffer[] = [];
  stdout.on("data", (chunk: Buffer) => written.push(chunk));
  stdin.end(`${lines.join("\n")}\n`);
  let refusal: string | undefined;
  try {
    await runShim(stdin, stdout);
  } catch (error) {
    if (!isLoopError(error)) throw error;
    refusal = error.code;
  }
  const answers = Buffer.concat(written).toString("utf8").split("\n").slice(0, -1);
  return { answers, refusal };
}

/** The same requests start the same run in every exchange, so it is prepared once. */
async function prepareRequests(): Promise<readonly Request[]> {
  const shim = createShim();
  methods = [...shim.keys()];
  let run = "";
  for (const { method, params } of preparation)
    run = String((await shim.get(method)?.(params))?.["run"] ?? "");
  await shim.get("reset")?.({});
  return listRequests(run);
}

function createLine(request: Request, random: Random): string {
  const chosen = random.next();
  if (chosen < 0.3) return JSON.stringify(request);
  // Sends the parameters of one method to another.
  if (chosen < 0.4) return JSON.stringify({ ...request, method: random.pick(methods) });
  const line = breakJson(request, random);
  const whole = chosen < 0.9 ? line : breakCharacters(line, ["\t", "\r", "\u2028", " "], random);
  return whole.replaceAll("\n", " ");
}

function describeAnswer(line: string): "result" | "error" | "no answer" {
  let answer: unknown;
  try {
    answer = JSON.parse(line);
  } catch {
    return "no answer";
  }
  if (!isPlainObject(answer)) return "no answer";
  if (isPlainObject(answer["result"])) return "result";
  const { error } = answer;
  return isPlainObject(error) && typeof error["message"] === "string" ? "error" : "no answer";
}
