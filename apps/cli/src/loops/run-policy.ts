import { decide } from "@turnseal/kernel";
import type { Decision, Rule } from "@turnseal/protocol";
import { type PolicyCase, readPolicyCases, readPolicyFile } from "@turnseal/runtime/project";
import {
  countOf,
  type Line,
  line,
  type Terminal,
  type Tone,
  toned,
  writeJson,
} from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { accept } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";

export interface PolicyOptions {
  readonly json?: boolean;
}

/** `turnseal policy check`: everything that is wrong with a policy, or its rules. */
export async function runPolicyCheck(
  file: string,
  options: PolicyOptions,
  { terminal }: Surroundings,
): Promise<ExitCode> {
  const read = acceptFile(await readPolicyFile(file), file, options);
  const { name, rules } = read.policy;
  const digest = read.compiled.kind === "compiled" ? read.compiled.digest : "";
  const { out } = terminal;
  if (options.json) {
    const list = rules.map(({ id, decision, line: at }) => ({ id, decision, file, line: at }));
    writeJson(out, { status: "ok", name, digest, rules: list }, 2);
    return EXIT_CODES.done;
  }
  for (const rule of rules) out.writeLine(renderRule(rule));
  out.writeLine(
    line(toned("good", "ok"), `, ${name}: ${countOf(rules.length, "rule")}, ${digest}`),
  );
  return EXIT_CODES.done;
}

/** `turnseal policy test`: what a policy decides about a table of cases, and what it should. */
export async function runPolicyTest(
  policyFile: string,
  casesFile: string,
  options: PolicyOptions,
  { terminal }: Surroundings,
): Promise<ExitCode> {
  const read = acceptFile(await readPolicyFile(policyFile), policyFile, options);
  const tried = acceptFile(await readPolicyCases(casesFile), casesFile, options);
  const results = tried.cases.map((each): Result => {
    const decision = decide(read.compiled, each.facts);
    return { each, decision, isExpected: isExpected(each, decision) };
  });
  const failed = results.filter((result) => !result.isExpected).length;
  writeResults(results, failed, casesFile, { ...options, terminal });
  return failed === 0 ? EXIT_CODES.done : EXIT_CODES.failed;
}

interface Result {
  readonly each: PolicyCase;
  readonly decision: Decision;
  readonly isExpected: boolean;
}

function isExpected({ expected }: PolicyCase, { kind, rule, failure }: Decision): boolean {
  return kind === expected.decision && rule?.id === expected.rule && failure === expected.failure;
}

function writeResults(
  results: readonly Result[],
  failed: number,
  casesFile: string,
  { json, terminal: { out } }: PolicyOptions & { readonly terminal: Terminal },
): void {
  const passed = results.length - failed;
  if (json) {
    const cases = results.map(({ each, decision, isExpected: ok }) => ({
      name: each.name,
      line: each.line,
      status: ok ? "passed" : "failed",
      expected: each.expected,
      decision,
    }));
    writeJson(out, { passed, failed, cases }, 2);
    return;
  }
  const width = Math.max(...results.map(({ each }) => each.name.length));
  for (const result of results) {
    renderResult(result, { width, casesFile }).forEach(out.writeLine);
  }
  const verdict = `${passed} passed, ${failed} failed`;
  out.writeLine(line(toned(failed === 0 ? "good" : "bad", verdict)));
}

const tones: Readonly<Record<Decision["kind"], Tone>> = {
  allow: "good",
  ask: "warning",
  deny: "bad",
};

function renderResult(
  { each, decision, isExpected: ok }: Result,
  { width, casesFile }: { readonly width: number; readonly casesFile: string },
): Line[] {
  const { kind } = decision;
  const shown = line(
    ok ? toned("good", "✓ ") : toned("bad", "✗ "),
    `${each.name.padEnd(width)}  `,
    toned(tones[kind], kind.padEnd(5)),
    `  ${describe(decision)}`,
  );
  if (ok) return [shown];
  const { decision: wanted, rule, failure } = each.expected;
  const by = rule === undefined ? "by default" : `by ${rule}`;
  const because = failure === undefined ? "" : `, ${failure}`;
  return [shown, line(`    ${casesFile}:${each.line} expects ${wanted} ${by}${because}`)];
}

function describe({ rule, failure }: Decision): string {
  if (rule === undefined) return "by default";
  const because =
    failure === undefined ? "" : `, because its condition could not be evaluated: ${failure}`;
  return `by ${rule.id} (${rule.file}:${rule.line})${because}`;
}

function renderRule({ id, decision, tools, when, file, line: at }: Rule): Line {
  return line(
    toned(tones[decision], decision.padEnd(5)),
    toned("strong", `  ${id}`),
    `  ${tools?.join(", ") ?? "every tool"}`,
    when === undefined ? "" : `, when ${when}`,
    toned("faint", `  ${file}:${at}`),
  );
}

/** Accepts what was read of a file of a policy or its cases. */
function acceptFile<Read extends { readonly kind: string }>(
  read: Read,
  file: string,
  { json }: PolicyOptions,
) {
  const next = "turnseal policy check <a file that exists>";
  return accept(read, { json, next, fix: `fix ${file}, and try again` });
}
