import { PLAN_TOOL } from "@turnseal/protocol";
import { findPlanTarget, readPrices, readRules } from "@turnseal/runtime/project";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { runCancel } from "../inbox/run-cancel.ts";
import { reportUnread } from "../loops/report-unread.ts";
import { type RunOptions, readRunRequest, runTarget } from "../runs/run-run.ts";
import { reportRefusal } from "../terminal/report-findings.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import type { Surroundings } from "../terminal/surroundings.ts";

export interface ProposeOptions extends RunOptions {
  /** The run of a plan that this one takes the place of. */
  readonly insteadOf?: string;
}

/** `turnseal plan propose`: starts the run of a plan, which waits until somebody decides. */
export async function runPropose(
  file: string,
  options: ProposeOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  const command = `turnseal plan propose ${file}`;
  const request = await readRunRequest({ turnsMax: 1, ...options }, surroundings);
  if (request.kind === "unusable")
    return reportUsage(terminal, request.message, `${command} ${request.next}`);
  const read = await readRules(options);
  if (read.kind !== "read") return reportUnread(read, terminal, options);
  const priced = await readPrices(options.prices);
  if (priced.kind === "unusable") return reportUsage(terminal, priced.message, priced.next);
  const found = await findPlanTarget({ file, from: options.from, prices: priced.prices });
  if (found.kind === "unusable") return reportUsage(terminal, found.message, found.next);
  if (found.kind === "refused") return reportRefusal(terminal, found.problems, options);
  const { insteadOf } = options;
  if (insteadOf !== undefined) {
    // With --json what is printed is about the run of this plan alone.
    const said = options.json === true ? { ...terminal, out: terminal.err } : terminal;
    const place = { ...options, json: false, terminal: said };
    const cancelled = await runCancel(insteadOf, place);
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
