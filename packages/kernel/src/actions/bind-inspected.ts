/**
 * Roots of things outside whose state a tool reports (spec/artifact.md §1.5).
 *
 * 1. One root has one function that inspects it, with the same secrets for every tool. No worker
 *    binds it to a folder. So the inspection never depends on the worker, and no tool gets a secret
 *    of another tool.
 * 2. Inspection reads for people and records. It is bounded in time, and a result with a secret of
 *    its tool is withheld.
 */
import {
  type InspectThing,
  inspectedRoot,
  type OpenRoot,
  type Roots,
  type Secrets,
} from "@turnseal/ports";
import { hmacSha256Hex, type Problem } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import { INSPECT_MS_MAX } from "../limits.ts";
import { giveSecrets } from "./give-secrets.ts";

type ToolLoop = Loop<never, unknown>;
type Inspect = NonNullable<NonNullable<NonNullable<ToolLoop["declared"]>["artifacts"]>["inspect"]>;

interface Clash {
  readonly loop: ToolLoop;
  readonly problem: Problem;
}

interface Inspecting {
  readonly loop: ToolLoop;
  readonly root: string;
  readonly inspect: Inspect;
}

/** The roots that tools inspect, by name. */
export function bindInspected(loops: readonly ToolLoop[], secrets: Secrets): Roots {
  return Object.fromEntries(
    listInspecting(loops).map(({ root, inspect, loop }) => [
      root,
      openInspected(inspect, { names: loop.declared?.secrets ?? [], secrets }),
    ]),
  );
}

export function findInspectClashes(loops: readonly ToolLoop[], bound: Roots | undefined): Clash[] {
  const known = new Map<string, Inspecting>();
  return listInspecting(loops).flatMap((inspecting) => {
    const { loop, root, inspect } = inspecting;
    const other = known.get(root);
    known.set(root, inspecting);
    if (bound !== undefined && Object.hasOwn(bound, root))
      return [describeClash(loop, `the root ${root} is bound to a folder, and inspected, too`)];
    if (other === undefined) return [];
    if (other.inspect !== inspect)
      return [describeClash(loop, `another function inspects the root ${root}, too`)];
    if (nameSecrets(other.loop) === nameSecrets(loop)) return [];
    const message = `another tool with other secrets inspects the root ${root}, too`;
    return [describeClash(loop, message)];
  });
}

function nameSecrets({ declared }: ToolLoop): string {
  return JSON.stringify([...new Set(declared?.secrets)].sort());
}

function describeClash(loop: ToolLoop, message: string): Clash {
  const mend = "give one of them a root of its own, or the two tools one function and its secrets";
  const problem = {
    rule: "registry-conflict",
    path: "/tool/implementation",
    message,
    mend,
  } as const;
  return { loop, problem };
}

function listInspecting(loops: readonly ToolLoop[]): Inspecting[] {
  return loops.flatMap((loop) => {
    const { root, inspect } = loop.declared?.artifacts ?? {};
    return root === undefined || inspect === undefined ? [] : [{ loop, root, inspect }];
  });
}

function openInspected(
  inspect: Inspect,
  { names, secrets }: { readonly names: readonly string[]; readonly secrets: Secrets },
): OpenRoot {
  const look: InspectThing = async (thing, signal) => {
    const { values, redactor } = await giveSecrets({ secrets: names }, secrets);
    const seen = await inspect(thing, { secrets: values, signal });
    if (seen === null) return null;
    const bytes = typeof seen === "string" ? new TextEncoder().encode(seen) : new Uint8Array(seen);
    if (redactor.isIn(bytes)) throw new RangeError("a secret of the tool is in what it inspected");
    return bytes;
  };
  return (key) =>
    inspectedRoot({
      inspect: look,
      withinMs: INSPECT_MS_MAX,
      digest: (bytes) => `hmac-sha256:${hmacSha256Hex(key, bytes)}`,
    });
}
