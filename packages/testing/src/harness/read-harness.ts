/** A harness file with everything that it names: its loops, its rules, its documents. */
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { type Finding, readTables, readText } from "@turnseal/documents";
import { compilePolicy } from "@turnseal/kernel";
import { GUIDANCE_BYTES_MAX, type GuidanceDocument, type Policy } from "@turnseal/protocol";
import { findTarget, isFileName, readPolicyFile, type Target } from "@turnseal/runtime/project";
import type { Harness } from "./harness.ts";
import { harnessShape } from "./harness-shape.ts";
import { fault } from "./shape.ts";

/** A case that can be run. */
export interface HarnessCase {
  readonly kind: "read";
  readonly file: string;
  readonly harness: Harness;
  readonly target: Target;
  readonly policy?: Policy;
  readonly guidance: readonly GuidanceDocument[];
}

export type ReadHarness =
  | HarnessCase
  | { readonly kind: "refused"; readonly findings: readonly Finding[] };

/** Reads a harness file. */
export async function readHarness(file: string): Promise<ReadHarness> {
  const read = await readTables(file);
  if (read.kind === "unusable") {
    const refused = fault("file-unreadable", "", "cannot be read", "check that it is there");
    return { kind: "refused", findings: [{ ...refused, file }] };
  }
  if (read.kind === "refused") return read;
  const faults = harnessShape(read.value, "");
  if (faults.length > 0) {
    const findings = faults.map((each) => ({ ...each, file, position: read.locate(each.path) }));
    return { kind: "refused", findings };
  }
  return resolveHarness(read.value as Harness, file, (path) => ({
    file,
    position: read.locate(path),
  }));
}

type Place = (path: string) => Pick<Finding, "file" | "position">;

/** Finds what a harness names, from the folder of its file. */
export async function resolveHarness(
  harness: Harness,
  file: string,
  place: Place = () => ({ file }),
): Promise<ReadHarness> {
  const folder = dirname(file);
  const refuse = (path: string, message: string, mend: string): ReadHarness => ({
    kind: "refused",
    findings: [{ ...place(path), rule: "field-type", path, message, mend }],
  });
  const target = await findLoop(harness, folder);
  if (target.kind === "unusable")
    return refuse("/loop", target.message, "name its files in `from`");
  if (target.kind === "refused") return { kind: "refused", findings: target.loaded.problems };
  if (target.loaded.registry.resolve(target.id, target.version) === undefined)
    return refuse("/loop", `there is no loop ${target.id}`, "name its files in `from`");
  const policy = await findPolicy(harness, folder);
  if (policy !== undefined && "message" in policy)
    return refuse("/policy", policy.message, "mend it: turnseal policy check says how");
  const guidance = await findGuidance(harness, folder);
  if ("message" in guidance) return refuse(guidance.path, guidance.message, "correct its `ref`");
  return { kind: "read", file, harness, target, guidance, ...(policy && { policy }) };
}

function findLoop({ loop, version, from }: Harness, folder: string) {
  const paths = (from ?? ["loops"]).map((path) => pathFrom(folder, path));
  return findTarget({
    loop: isFileName(loop) ? pathFrom(folder, loop) : loop,
    version,
    // Without a word, the folder `loops` beside the file, if there is one.
    from: from === undefined ? paths.filter((path) => existsSync(path)) : paths,
    mode: "strict",
  });
}

/** A path as the file means it. */
function pathFrom(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

async function findPolicy(
  { policy }: Harness,
  folder: string,
): Promise<Policy | { readonly message: string } | undefined> {
  if (policy === undefined) return undefined;
  if (typeof policy !== "string") {
    const compiled = compilePolicy(policy);
    if (compiled.kind === "compiled") return policy;
    return { message: compiled.problems.map(({ message }) => message).join("; ") };
  }
  const read = await readPolicyFile(pathFrom(folder, policy));
  if (read.kind === "unusable") return { message: read.message };
  if (read.kind === "refused")
    return { message: read.findings.map(({ message }) => message).join("; ") };
  // Rules are recorded with their file: as the harness names it, the same from every folder.
  const rules = read.policy.rules.map((rule) => ({ ...rule, file: policy }));
  return { ...read.policy, rules };
}

async function findGuidance(
  { guidance = [] }: Harness,
  folder: string,
): Promise<GuidanceDocument[] | { readonly path: string; readonly message: string }> {
  const documents: GuidanceDocument[] = [];
  for (const [index, { ref, text }] of guidance.entries()) {
    if (text !== undefined) {
      documents.push({ ref, text });
      continue;
    }
    const path = `/guidance/${index}/ref`;
    const isBelow = !isAbsolute(ref) && !relative(folder, join(folder, ref)).startsWith("..");
    if (!isBelow) return { path, message: `${ref} is not below the file's folder` };
    const read = await readText(join(folder, ref), GUIDANCE_BYTES_MAX);
    if (read.kind === "refused") return { path, message: `${ref}: ${read.message}` };
    documents.push({ ref, text: read.text });
  }
  return documents;
}
