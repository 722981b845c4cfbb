/**
 * Workflow files as loops. They are read after everything else, since what an action and a
 * condition mean follows from the loops that they name.
 *
 * A file that another names is read with it, at any place. Each is read once, even through several
 * links.
 */
import { realpath } from "node:fs/promises";
import { basename } from "node:path";
import {
  type Finding,
  type Position,
  parseTomlText,
  type ReadFile,
  readText,
  type Source,
} from "@turnseal/documents";
import { isPlainObject, type LoopDef, type Problem } from "@turnseal/protocol";
import { checkTables, SLIPS_MAX } from "./check-tables.ts";
import { compileWorkflow } from "./compile-workflow.ts";
import type { Compiling, NestedWorkflow } from "./compiling.ts";
import { FETCH_LOOP } from "./fetch-loop.ts";
import { findBeside } from "./find-beside.ts";
import { INTENTS_LOOP, readIntents } from "./intents-loop.ts";
import { listFileNames } from "./list-file-names.ts";
import type { WorkflowDocument } from "./workflow-document.ts";

/** The loops that are known before. */
export type KnownLoops = Pick<Compiling, "findLoop" | "loopIds">;

interface Reading {
  readonly known: KnownLoops;
  /** By where each truly stands. */
  readonly read: Map<string, ReadWorkflow>;
}

interface ReadWorkflow extends ReadFile {
  /** Undefined if the file cannot be called. */
  readonly nested: NestedWorkflow | undefined;
}

/** Reads the files, and the files that they name. */
export async function readWorkflows(
  files: readonly { readonly file: string; readonly isNamed: boolean }[],
  known: KnownLoops,
): Promise<ReadFile[]> {
  const reading: Reading = { known, read: new Map() };
  for (const { file, isNamed } of files) await readWorkflow(file, { isNamed, above: [] }, reading);
  return [...reading.read.values()];
}

interface FilePlace {
  /** A named file must be a workflow; in a folder, other files are skipped. */
  readonly isNamed: boolean;
  /** Where the files that name it truly stand. */
  readonly above: readonly string[];
}

async function readWorkflow(
  file: string,
  place: FilePlace,
  reading: Reading,
): Promise<ReadWorkflow> {
  const real = await realOf(file);
  const known = reading.read.get(real);
  if (known !== undefined) return known;
  const workflow = await readOnce(file, place, reading);
  reading.read.set(real, workflow);
  return workflow;
}

/** Links give one file many names, and may even form a circle. */
async function realOf(file: string): Promise<string> {
  // The reader of the file reports why it cannot be read.
  return realpath(file).catch(() => file);
}

/** Each workflow has one of these keys at its top. */
const TOP_KEYS = ["workflow", "steps", "states"];
/** Marks a file that cannot be parsed as a workflow. */
const HEADER = /^[ \t]*\[+[ \t]*["']?(workflow|steps|states)["']?[ \t]*([.\]]|$)/m;

async function readOnce(file: string, place: FilePlace, reading: Reading): Promise<ReadWorkflow> {
  const read = await readText(file);
  const start = { line: 1, column: 1 };
  if (read.kind === "refused") {
    const { rule, message, mend } = read;
    return refused([{ file, rule, path: "", message, mend, position: start }]);
  }
  const parsed = parseTomlText(read.text);
  if (parsed.kind === "refused") {
    if (!place.isNamed && !HEADER.test(read.text)) return refused([]);
    return refused([{ ...parsed.problem, file, position: parsed.position }]);
  }
  if (isWorkflow(parsed.value)) return compileFile({ file, ...place, ...parsed }, reading);
  if (!place.isNamed) return refused([]);
  const message = "the file is no workflow";
  const mend = "add [workflow], or read a policy with turnseal policy check";
  return refused([{ file, rule: "toml", path: "", message, mend, position: start }]);
}

function isWorkflow(value: unknown): boolean {
  return isPlainObject(value) && TOP_KEYS.some((key) => Object.hasOwn(value, key));
}

interface ParsedFile extends FilePlace {
  readonly file: string;
  readonly value: unknown;
  readonly locate: (pointer: string) => Position;
}

async function compileFile(parsed: ParsedFile, reading: Reading): Promise<ReadWorkflow> {
  const { file, value, locate, above } = parsed;
  const toFinding = (problem: Problem): Finding => ({
    ...problem,
    file,
    position: locate(problem.path),
  });
  const slips = checkTables(value);
  if (slips.length > 0) return refused(slips.map(toFinding));
  const document = value as WorkflowDocument;
  const problems: Problem[] = [];
  const beside = await readBeside(document, { file, above, problems }, reading);
  const name = basename(file, ".toml");
  const compiled = compileWorkflow(document, { name, ...reading.known, ...beside });
  const all = compiled.kind === "refused" ? problems.concat(compiled.problems) : problems;
  if (compiled.kind === "refused" || all.length > 0)
    return refused(all.slice(0, SLIPS_MAX).map(toFinding));
  const { loops, inputs, originOf } = compiled;
  const own = loops.filter((loop) => loop !== INTENTS_LOOP && loop !== FETCH_LOOP);
  const sources = own.map((loop): Source => {
    return { file, document: loop, locate: (pointer) => locate(originOf(loop, pointer)) };
  });
  const [{ id, version, policy }] = loops as readonly [LoopDef];
  // Of all workflows, agents alone have a goal.
  const isAgent = policy?.goal !== undefined;
  const brought = [
    ...(loops.includes(FETCH_LOOP) ? [{ file, document: FETCH_LOOP }] : []),
    ...(loops.includes(INTENTS_LOOP) ? [intentsOf(file)] : []),
  ];
  return { sources, brought, findings: [], nested: { id, version, inputs, isAgent } };
}

function refused(findings: readonly Finding[]): ReadWorkflow {
  return { sources: [], findings, nested: undefined };
}

/** The function for a model that answers in plain text. */
function intentsOf(file: string): Source {
  return {
    file,
    document: INTENTS_LOOP,
    tool: { name: "workflow.intents", run: readIntents, declared: { effect: "read" } },
  };
}

/** Why a file that is named is not read. */
function refuseBeside(
  name: string,
  path: string,
  { message, mend }: { readonly message: string; readonly mend: string },
): Problem {
  return { rule: "reference-unknown", path, message: `${name}: ${message}`, mend };
}

interface BesidePlace extends Pick<FilePlace, "above"> {
  readonly file: string;
  readonly problems: Problem[];
}

/** Everything that a file names, read before it is compiled. */
async function readBeside(document: WorkflowDocument, place: BesidePlace, reading: Reading) {
  const { file, above, problems } = place;
  const names = listFileNames(document);
  const workflows = new Map<string, NestedWorkflow>();
  const aboveNested = [...above, await realOf(file)];
  for (const { name, path } of names.workflows) {
    const found = await findBeside(file, name);
    if (found.kind === "refused") {
      problems.push(refuseBeside(name, path, found));
      continue;
    }
    const nested = found.path;
    if (aboveNested.includes(await realOf(nested))) {
      const message = `${name} leads back to this file`;
      const mend = "name another file, or let states lead back";
      problems.push({ rule: "reference-cycle", path, message, mend });
      continue;
    }
    const inner = await readWorkflow(nested, { isNamed: true, above: aboveNested }, reading);
    if (inner.nested !== undefined) workflows.set(name, inner.nested);
    else
      problems.push({
        rule: "reference-unknown",
        path,
        message: `${name} cannot be read as a workflow`,
        mend: `fix ${nested}, or name another file`,
      });
  }
  const texts = new Map<string, string>();
  for (const { name, path } of names.texts) {
    const found = await findBeside(file, name);
    const read = found.kind === "found" ? await readText(found.path) : found;
    if (read.kind === "read") texts.set(name, read.text);
    else problems.push(refuseBeside(name, path, read));
  }
  return {
    openNested: (name: string) => workflows.get(name),
    readText: (name: string) => texts.get(name),
  };
}
