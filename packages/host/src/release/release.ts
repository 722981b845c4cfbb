/**
 * A release: what a worker can execute, as data.
 *
 * 1. Its name is a digest of everything in it: workers of the same project have the same, and one
 *    of another image has another.
 * 2. Only loops that are there whole are listed: a tool whose function is missing is not there.
 * 3. Builds change the name, and never decide whether a run can be driven: see run.md §7.8.
 */
import {
  type BoundTools,
  type CheckedLoop,
  findPinLack,
  listRefined,
  type Registry,
  SEMANTICS,
} from "@turnseal/kernel";
import { digestOf, type PinnedLoop } from "@turnseal/protocol";

export interface Release {
  readonly name: string;
  readonly semantics: number;
  readonly loops: readonly ReleasedLoop[];
}

export interface ReleasedLoop extends Omit<PinnedLoop, "cache"> {
  /** The build of its function, where it is a tool. */
  readonly build?: string;
}

/** Describes the loops and functions of one process for other processes. */
export function describeRelease(bound: Bound): Release {
  const loops = bound.registry
    .list()
    .flatMap((loop) => describeLoop(loop, bound))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const facts = { semantics: SEMANTICS, loops };
  return { name: digestOf(facts).slice("sha256:".length, NAME_END), ...facts };
}

interface Bound {
  readonly registry: Registry;
  readonly tools: BoundTools;
}

/** Sixteen digits: enough that two releases of one project never meet, and few enough to type. */
const NAME_END = "sha256:".length + 16;

const namePattern = /^[0-9a-f]{16}$/;

export function isReleaseName(text: string): boolean {
  return namePattern.test(text);
}

function describeLoop(loop: CheckedLoop, bound: Bound): ReleasedLoop[] {
  const { definition, digest } = loop;
  const { id, version, tool } = definition;
  const refined = listRefined(loop);
  const pin = { id, version, digest, ...(refined.length === 0 ? {} : { refined }) };
  if (findPinLack(pin, bound) !== undefined) return [];
  const build = tool && bound.tools.find(tool.implementation, version)?.build;
  return [{ ...pin, ...(build === undefined ? {} : { build }) }];
}

function keyOf({ id, version }: ReleasedLoop): string {
  return `${id} ${version}`;
}
