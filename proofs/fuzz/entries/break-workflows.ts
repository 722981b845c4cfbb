/** Workflow files: their text, their tables, and what becomes of the loops that they are. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Finding } from "@turnseal/documents";
import { loadLoops } from "@turnseal/runtime/project";
import { breakCharacters } from "../break-text.ts";
import { type Draft, timeAsync } from "../case-report.ts";
import { checkBounds } from "../check-bounds.ts";
import { hostileExpressions } from "../hostile-expressions.ts";
import type { Random } from "../random.ts";
import { actions, workflows } from "../valid-workflows.ts";

let folder: string | undefined;

/** The loops that workflows name, as files beside the broken one. */
function openFolder(): string {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(join(tmpdir(), "turnseal-fuzz-"));
  process.on("exit", () => rmSync(made, { recursive: true, force: true }));
  mkdirSync(join(made, "loops"));
  for (const action of actions)
    writeFileSync(join(made, "loops", `${action.id}.json`), JSON.stringify(action));
  folder = made;
  return made;
}

export async function breakWorkflows(random: Random, draft: Draft): Promise<void> {
  const way = random.pick(Object.keys(ways) as (keyof typeof ways)[]);
  draft.kind = `workflow: ${way}`;
  let text = ways[way](random.pick(workflows), random);
  while (random.next() < 0.3) text = random.pick(Object.values(ways))(text, random);
  draft.subjects.push(text);
  const made = openFolder();
  const file = join(made, "workflow.toml");
  writeFileSync(file, text);
  const loaded = await timeAsync(draft, () => loadLoops([join(made, "loops"), file], "strict"));
  if (loaded.kind === "unusable") {
    draft.outcomes.push("unusable");
    draft.problems.push(`the folder cannot be read: ${loaded.message}`);
    return;
  }
  for (const problem of loaded.problems) draft.problems.push(...checkFinding(problem, text));
  for (const { loop } of loaded.entries) checkBounds(loop, loaded.registry, draft);
  const [first] = loaded.problems;
  draft.isAccepted = first === undefined;
  draft.outcomes.push(first === undefined ? "registered" : `refused ${first.rule}`);
}

/** A finding shows where to fix the file: at a line and a column that it has. */
function checkFinding(finding: Finding, text: string): string[] {
  const { rule, message, mend, position } = finding;
  // Both kinds of ends of lines, and a line after the last of them.
  const lines = text.split("\n").length;
  const isPlace =
    position !== undefined && position.line >= 1 && position.line <= lines && position.column >= 1;
  const isTold = [rule, message, mend].every((words) => typeof words === "string" && words !== "");
  return isPlace && isTold ? [] : [`a problem is not told well: ${JSON.stringify(finding)}`];
}

const keys = [
  ...["action", "prompt", "plugin", "for_each", "condition", "on_error", "max_retries", "retry"],
  ...[
    "steps",
    "scope",
    "type",
    "transitions",
    "next",
    "terminal",
    "llm",
    "name",
    "join",
    "parallel",
  ],
  ...["concurrency", "max_items", "context", "cache", "workflow", "source", "llm_select", "acton"],
  ...["__proto__", "constructor", "toString"],
];
const values = [
  ...['"analyze {file}"', '"edit {item}"', '"{x} {y}"', '"python: len(x)"', '"contains:x"', '""'],
  ...['"has_errors"', '"success"', '"file_exists:a"', "[]", "[1, 2]", "{}", "true", "0", "-1"],
  ...["256", "257", "1e99", "inf", "nan", "1979-05-27", '"inner.toml"', '"../../etc/passwd"'],
  ...['"for-each"', '"fanout"', '"llm-decide"', '"scope"', '"retry"', '"all"', '"exponential"'],
  ...['"""', "'", "[[", "{ strategy = 'fixed', max_attempts = 99 }", '"\\ud800"', '"\u0000"'],
];
const oddToml = [
  ...["[", "]", "[[", "]]", "=", '"', "'", '"""', "#", ".", ",", "{", "}", "\n", "\r\n", "\t"],
  ...["\u0000", "\ufeff", "\ud800", "💡", "\\u0000", "\\", "0x", "1_000_", "a.b.c = 1\n"],
  ...["[".repeat(300), "a = [".repeat(200), `${"a.".repeat(500)}b = 1\n`, "x = 1\nx = 2\n"],
];

type Way = (text: string, random: Random) => string;

const ways = {
  untouched: (text) => text,
  "characters broken": (text, random) => breakCharacters(text, oddToml, random),
  "line dropped": changeLines((lines, at) => lines.splice(at, 1)),
  "line doubled": changeLines((lines, at) => lines.splice(at, 0, lines[at] ?? "")),
  "lines swapped": changeLines((lines, at, random) => {
    const other = random.below(lines.length);
    [lines[at], lines[other]] = [lines[other] ?? "", lines[at] ?? ""];
  }),
  "value replaced": changeLines((lines, at, random) => {
    const [key = "x"] = (lines[at] ?? "").split("=");
    lines[at] = `${key.trim()} = ${random.pick(values)}`;
  }),
  "key added": changeLines((lines, at, random) => {
    lines.splice(at + 1, 0, `${random.pick(keys)} = ${random.pick(values)}`);
  }),
  "expression added": changeLines((lines, at, random) => {
    const key = random.pick(["condition", "for_each", "action"]);
    lines.splice(at + 1, 0, `${key} = ${JSON.stringify(`cel:${random.pick(hostileExpressions)}`)}`);
  }),
  "cut off": (text, random) => text.slice(0, random.below(text.length + 1)),
  "steps repeated": (text, random) => {
    const step = '\n[[steps]]\naction = "view {file}"\n';
    return text + step.repeat(random.pick([1, 50, 300]));
  },
  "scopes nested": (text, random) => {
    const depth = random.pick([2, 10, 20, 70]);
    const heads = Array.from({ length: depth }, (_, level) => {
      const path = ["steps", ...Array.from({ length: level }, () => "steps")].join(".");
      return `[[${path}]]\ntype = "scope"\n`;
    });
    return `${text}\n${heads.join("")}`;
  },
} as const satisfies Record<string, Way>;

function changeLines(change: (lines: string[], at: number, random: Random) => unknown): Way {
  return (text, random) => {
    const lines = text.split("\n");
    change(lines, random.below(lines.length), random);
    return lines.join("\n");
  };
}
