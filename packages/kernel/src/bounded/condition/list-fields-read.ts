import type { ASTNode } from "@marcbachmann/cel-js";

/**
 * The fields of a fact that an expression looks at, or asks for; `all` where that is not written
 * out. The fact is an object, and no item of a macro has its name.
 */
export function listFieldsRead(node: ASTNode, fact: string): readonly string[] | "all" {
  const fields = new Set<string>();
  return walk(node, { fact, fields }) ? [...fields] : "all";
}

interface Walk {
  readonly fact: string;
  readonly fields: Set<string>;
}

/** False where something else is done with the fact than to look at a field that is named. */
function walk(node: ASTNode, walked: Walk): boolean {
  const { fact, fields } = walked;
  if (node.op === "id") return node.args !== fact;
  const field = findField(node, fact);
  if (field === undefined) return listParts(node.args).every((part) => walk(part, walked));
  fields.add(field);
  return true;
}

/** `fact.name`, `fact['name']` and `'name' in fact`. */
function findField(node: ASTNode, fact: string): string | undefined {
  const isFact = (part: unknown): boolean => isNode(part) && part.op === "id" && part.args === fact;
  if (node.op !== "." && node.op !== "[]" && node.op !== "in") return undefined;
  const [left, right] = node.args as [unknown, unknown];
  const [of, name] = node.op === "in" ? [right, left] : [left, right];
  return isFact(of) ? readText(name) : undefined;
}

function readText(part: unknown): string | undefined {
  const text = isNode(part) && part.op === "value" ? (part.args as unknown) : part;
  return typeof text === "string" ? text : undefined;
}

function listParts(parts: unknown): ASTNode[] {
  if (Array.isArray(parts)) return parts.flatMap(listParts);
  return isNode(parts) ? [parts] : [];
}

function isNode(part: unknown): part is ASTNode {
  return typeof part === "object" && part !== null && "op" in part;
}
