/** Runs one case about runs: its steps in order, each compared as soon as it is answered. */
import { canonicalize, type JsonObject } from "@turnseal/protocol";
import { checkStep } from "./checks/check-step.ts";
import { findDifference } from "./checks/find-mismatch.ts";
import { fillReferences } from "./fill-references.ts";
import { parseLoadAnswer } from "./program/answers.ts";
import type { Program } from "./program/start-program.ts";
import { parseObject } from "./shape.ts";
import type { CaseStep, StepCase, StepExpectation } from "./vectors/step-case.ts";
import { verifyOwn } from "./verify-own.ts";

/** Answers of the steps so far, by the names of the steps. */
type Answers = Map<string, JsonObject>;

/**
 * Runs one case against a program; the answer lists what is wrong. Throws when the program does not
 * answer as asked.
 */
export async function runStepCase(item: StepCase, program: Program): Promise<string[]> {
  const first = await runSteps(item, program);
  if (item.twice !== true) return first.problems;
  const second = await runSteps(item, program);
  const again = first.answers.flatMap(
    (answer, index) =>
      findDifference(
        canonicalize(answer),
        canonicalize(second.answers[index] ?? null),
        `step ${index}, the second time`,
      ) ?? [],
  );
  return [...first.problems, ...again];
}

interface RanSteps {
  readonly answers: readonly JsonObject[];
  readonly problems: string[];
}

async function runSteps({ input = {}, steps }: StepCase, program: Program): Promise<RanSteps> {
  await program.ask("reset", steps.some(endsLife) ? { durable: true } : {});
  const problems = await prepare(input, program);
  const named: Answers = new Map();
  const answers: JsonObject[] = [];
  for (const [index, step] of steps.entries()) {
    const ran = await runStep(step, named, program);
    answers.push(ran.answer);
    problems.push(...ran.problems.map((problem) => `step ${index} (${step.ask}): ${problem}`));
    if (step.as !== undefined) named.set(step.as, ran.answer);
    // The later ones would only repeat it.
    if (problems.length > 0) break;
  }
  return { answers, problems };
}

async function prepare(
  { documents = [], mode = "strict", script }: NonNullable<StepCase["input"]>,
  program: Program,
): Promise<string[]> {
  const loaded = parseLoadAnswer(await program.ask("load", { documents, mode }), "load");
  if (script !== undefined) await program.ask("script", script);
  return loaded.documents.flatMap(({ kind, problems = [] }, index) =>
    kind === "accepted"
      ? []
      : [`document ${index} was rejected (${problems.map(({ message }) => message).join("; ")})`],
  );
}

/** True for steps that end the program: stored data must survive them. */
function endsLife({ ask }: CaseStep): boolean {
  return ask === "crash" || ask === "reopen";
}

interface RanStep {
  readonly answer: JsonObject;
  readonly problems: readonly string[];
}

async function runStep(
  { expect, ...asked }: CaseStep,
  named: Answers,
  program: Program,
): Promise<RanStep> {
  const step: CaseStep =
    expect === undefined ? asked : { ...asked, expect: fillExpected(expect, named) };
  const params = withRun(step, fillReferences(step.with ?? {}, named), named);
  if (step.ask === "verify" && params["keys"] === undefined)
    return verifyOwn(step, params, program);
  const answer = parseObject(await program.ask(step.ask, params), step.ask) as JsonObject;
  // A step without a run is about the one that was started last.
  if (starting.has(step.ask) && answer["run"] !== undefined) named.set(lastStarted, answer);
  return { answer, problems: checkStep(step, answer, named) };
}

/** An expectation may name values that the program made up before, such as the id of a run. */
function fillExpected(expect: StepExpectation, named: Answers): StepExpectation {
  return fillReferences(expect as unknown as JsonObject, named) as unknown as StepExpectation;
}

const lastStarted = " last started";
const starting: ReadonlySet<CaseStep["ask"]> = new Set(["start", "propose", "rollback"]);
const ofRun: ReadonlySet<CaseStep["ask"]> = new Set([
  "advance",
  "tell",
  "events",
  "receipts",
  "requests",
  "standing",
  "contents",
  "verify",
  "project",
  "replay",
  "lose",
  "session",
  "stream",
  "conversation",
  "graph",
  "mplp",
  "drift",
  "reconcile",
  "adopt",
  "rollback",
]);

function withRun({ ask }: CaseStep, params: JsonObject, named: Answers): JsonObject {
  const run = named.get(lastStarted)?.["run"];
  const isAbout = ofRun.has(ask) && params["run"] === undefined && params["keys"] === undefined;
  return isAbout && run !== undefined ? { run, ...params } : params;
}
