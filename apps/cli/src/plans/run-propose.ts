import { PLAN_TOOL } from "@turnseal/protocol";
import { findPlanTarget, readPrices, readRules } from "@turnseal/runtime/project";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { runCancel } from "../inbox/run-cancel.ts";
import { acceptRules } from "../loops/accept-rules.ts";
import { type RunOptions, readRunRequest, runTarget } from "../runs/start/run-run.ts";
import { accept, RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";

export interface ProposeOptions extends RunOptions {
  /** The run of a plan that this one takes the place of. */
  readonly insteadOf?: string;
}

/** `turnseal plan propose`: starts the run of a plan, which waits for its approval. */
export async function runPropose(
  file: string,
  options: ProposeOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  const command = `turnseal plan propose ${file}`;
  const request = await readRunRequest({ turnsMax: 1, ...options }, surroundings);
  if (request.kind === "unusable")
    throw new RefusalError(request.message, `${command} ${request.next}`);
  const read = acceptRules(await readRules(options), options);
  const priced = accept(await readPrices(options.prices));
  const found = accept(
    await findPlanTarget({ file, from: options.from, prices: priced.prices }),
    options,
  );
  const { insteadOf } = options;
  if (insteadOf !== undefined) {
    // With --json what is printed is about the run of this plan alone.
    const said = options.json === true ? { ...terminal, out: terminal.err } : terminal;
    const place = { ...options, json: false };
    const cancelled = await runCancel(insteadOf, place, { terminal: said });
    if (cancelled !== EXIT_CODES.done) return cancelled;
  }
  const { grant } = request;
  const tools = [...new Set([...grant.tools, PLAN_TOOL])];
  const proposed = { ...request, input: found.document, grant: { ...grant, tools } };
  return runTarget(
    command,
    { target: found.target, request: proposed, rules: read.rules },
    { options, surroundings },
  );
}
