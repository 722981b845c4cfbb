/** References and constants as expressions write them (spec/mapping.md §5). */
import { canonicalize } from "../canonical-json.ts";
import { formatPath, type PathSegment } from "../loop/path.ts";
import { AuthoringError } from "./authoring-error.ts";
import { readPlaceholder } from "./reference.ts";

/** A placeholder or a constant, as it stands in an expression. */
export function formatOperand(value: unknown): string {
  const source = readPlaceholder(value);
  if (source?.kind === "path") return formatWay(source.segments);
  if (source?.kind === "expression") return `(${source.cel})`;
  const parts = Array.isArray(value) ? value : [value];
  if (parts.some((part) => typeof part === "object" && part !== null))
    throw new AuthoringError(
      "REFERENCE_MISPLACED",
      "a default is a text, a number, true, false, null, a list of those, or one reference",
    );
  return canonicalize(value);
}

/** The conditions, from the outside in, under which the path leads to a value that is not null. */
export function listGuards(segments: readonly PathSegment[], sureLength: number): string[] {
  if (segments.length <= sureLength) return [`${formatWay(segments)} != null`];
  return segments.slice(sureLength).flatMap((segment, index) => {
    const way = `${formatWay(segments.slice(0, sureLength + index + 1))} != null`;
    // A missing name is null in an expression.
    if (sureLength + index === 0) return [way];
    const holder = formatWay(segments.slice(0, sureLength + index));
    return [formatPresence(holder, segment), way];
  });
}

function formatPresence(holder: string, segment: PathSegment): string {
  if (typeof segment === "string")
    return isSelector(segment) ? `has(${holder}.${segment})` : `${quote(segment)} in ${holder}`;
  return `size(${holder}) ${segment < 0 ? ">=" : ">"} ${Math.abs(segment)}`;
}

function formatWay([root, ...rest]: readonly PathSegment[]): string {
  if (typeof root !== "string" || !isSelector(root)) {
    const path = formatPath(root === undefined ? [] : [root]);
    throw new AuthoringError(
      "REFERENCE_MISPLACED",
      `${path} cannot be named in an expression: call the binding by letters, digits and _`,
    );
  }
  return rest.reduce<string>((way, segment) => {
    if (typeof segment === "string")
      return isSelector(segment) ? `${way}.${segment}` : `${way}[${quote(segment)}]`;
    return segment < 0 ? `${way}[size(${way}) - ${-segment}]` : `${way}[${segment}]`;
  }, root);
}

const keywords: ReadonlySet<string> = new Set(["true", "false", "null", "in"]);

function isSelector(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !keywords.has(name);
}

function quote(name: string): string {
  return canonicalize(name);
}
