/**
 * Verifies the records of runs, edited as the vector says. Both the program and the suite verify
 * them, so that a program cannot call everything valid.
 */
import type { JsonObject } from "@turnseal/protocol";
import {
  type PublicKey,
  type TreeVerdict,
  verifyBundle,
  verifyTree,
} from "@turnseal/protocol/receipts";
import { checkVerdict } from "./checks/check-step.ts";
import { editBundle, type OwnBundle } from "./edit-bundle.ts";
import { parseEventsAnswer, parseReceiptsAnswer } from "./program/answers.ts";
import type { Program } from "./program/start-program.ts";
import { parseList, parseObject, parseText } from "./shape.ts";
import type { CaseStep } from "./vectors/step-case.ts";

export interface OwnVerdict {
  readonly answer: JsonObject;
  readonly problems: readonly string[];
}

/** A run, or with `tree` several runs that were started from each other. */
export async function verifyOwn(
  step: CaseStep,
  { run = null, tree, ...rest }: JsonObject,
  program: Program,
): Promise<OwnVerdict> {
  const runs = tree === undefined ? [String(run)] : parseList(parseText)(tree, "tree");
  const bundles: OwnBundle[] = [];
  for (const name of runs) bundles.push(await collectBundle(name, program));
  const [first, ...others] = bundles;
  if (first === undefined) return { answer: {}, problems: ["no run was named"] };

  const { keys, ...edited } = editBundle(first, step.edit ?? []);
  const whole = [edited, ...others.map(({ keys: _, ...bundle }) => bundle)];
  const subject = tree === undefined ? { bundle: edited } : { tree: whole };
  const params = { ...rest, ...subject, keys } as unknown as JsonObject;
  const answer = parseObject(await program.ask("verify", params), "verify") as JsonObject;
  const options = { keys, production: rest["production"] === true };
  const own =
    tree === undefined ? await verifyBundle(edited, options) : await judge(whole, options);
  const expected = step.expect?.answer ?? {};
  return {
    answer,
    problems: [
      ...checkVerdict(expected, answer, "the program's verdict"),
      ...checkVerdict(expected, own as unknown as JsonObject, "the suite's own verdict"),
    ],
  };
}

async function collectBundle(run: string, program: Program): Promise<OwnBundle> {
  const { events } = parseEventsAnswer(await program.ask("events", { run }), "events");
  const { receipts, keys } = parseReceiptsAnswer(
    await program.ask("receipts", { run }),
    "receipts",
  );
  return { run, events, receipts: receipts.map(({ text }) => text), keys };
}

/** Everything that is found in a tree, wherever. */
async function judge(
  runs: readonly Omit<OwnBundle, "keys">[],
  options: { readonly keys: readonly PublicKey[]; readonly production: boolean },
): Promise<Pick<TreeVerdict, "verdict" | "valid"> & { readonly findings: readonly unknown[] }> {
  const { verdict, valid, runs: verdicts, set } = await verifyTree(runs as never, options);
  const findings = [...verdicts.flatMap((each) => each.findings), ...set.findings];
  return { verdict, valid, findings };
}
