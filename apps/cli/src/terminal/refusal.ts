/** How a command ends where it cannot do what was asked: it throws, and `runProgram` prints why. */
import type { Finding } from "@turnseal/documents";
import { renderNext, type Terminal } from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { reportFailure } from "./report-failure.ts";
import { reportRefusal } from "./report-findings.ts";

/** Says what is wrong, and what to try next. By default the command line is wrong. */
export class RefusalError extends Error {
  readonly next: string;
  readonly exitCode: ExitCode;

  constructor(message: string, next: string, exitCode: ExitCode = EXIT_CODES.usage) {
    super(message);
    this.next = next;
    this.exitCode = exitCode;
  }
}

/** Says what is wrong with the files that a command reads. */
class RefusedFilesError extends Error {
  readonly findings: readonly Finding[];
  readonly options: AcceptOptions;

  constructor(findings: readonly Finding[], options: AcceptOptions) {
    super("the files are refused");
    this.findings = findings;
    this.options = options;
  }
}

/** Prints a refusal, and answers with its code; undefined for any other error. */
export function reportRefused(error: unknown, terminal: Terminal): ExitCode | undefined {
  if (error instanceof RefusalError) {
    reportFailure(terminal, error.message, error.next);
    return error.exitCode;
  }
  if (!(error instanceof RefusedFilesError)) return undefined;
  const { findings, options } = error;
  const code = reportRefusal(terminal, findings, { json: options.json === true });
  if (options.fix !== undefined && options.json !== true)
    terminal.err.writeLine(renderNext(options.fix));
  return code;
}

interface AcceptOptions {
  /** Problems of files are printed as JSON. */
  readonly json?: boolean | undefined;
  /** The next step, if the answer names none. */
  readonly next?: string;
  /** The next step after the problems of files. */
  readonly fix?: string;
}

interface Unusable {
  readonly kind: "unusable" | "missing" | "refused";
  readonly message: string;
  readonly next?: string;
}

type RefusedAnswer = { readonly kind: "refused" } & (
  | { readonly problems: readonly Finding[] }
  | { readonly findings: readonly Finding[] }
  | { readonly loaded: { readonly problems: readonly Finding[] } }
);

/** Returns the answer of a read or a check; a refusal ends the command. */
export function accept<Answer extends { readonly kind: string }>(
  answer: Answer,
  options: AcceptOptions = {},
): Exclude<Answer, Unusable | RefusedAnswer> {
  if (!["unusable", "missing", "refused"].includes(answer.kind))
    return answer as Exclude<Answer, Unusable | RefusedAnswer>;
  const given = answer as unknown as Unusable | RefusedAnswer;
  if (!("message" in given)) throw new RefusedFilesError(listFindings(given), options);
  throw new RefusalError(given.message, given.next ?? options.next ?? "turnseal --help");
}

function listFindings(answer: RefusedAnswer): readonly Finding[] {
  if ("loaded" in answer) return answer.loaded.problems;
  return "findings" in answer ? answer.findings : answer.problems;
}

/** Ends the command if there are problems. */
export function refuseProblems(problems: readonly Finding[], options: AcceptOptions = {}): void {
  if (problems.length > 0) throw new RefusedFilesError(problems, options);
}
