/**
 * Whether the paths of a goal and of further inputs can lead anywhere, by the schemas of the loop:
 * a run would otherwise pay for turns that can never reach its goal.
 *
 * Only what the schema certainly does not have is refused: a field of an object that lists its
 * fields and takes no others by name. Everything that is not understood may be there.
 */
import {
  isPlainObject,
  type JsonValue,
  type LoopDef,
  type PathSegment,
  parsePath,
  type RunBounds,
} from "@turnseal/protocol";

type PathBounds = Pick<RunBounds, "goal" | "nextInput">;

/** What paths start from between two turns. */
const ROOTS: readonly PathSegment[] = ["input", "output", "turn", "signals"];

/** The first path that leads nowhere, in words; undefined when there is none. */
export function findPathProblem(
  { goal, nextInput }: PathBounds,
  loop: LoopDef,
): string | undefined {
  const goalProblem =
    goal === undefined ? undefined : findProblem(goal.path, { loop, roots: ["output"] });
  if (goalProblem !== undefined) return `\`goal\` ${goalProblem}`;
  for (const [field, source] of Object.entries(nextInput ?? {})) {
    const names = listFields(loop.inputSchema);
    if (names !== undefined && !names.includes(field))
      return `\`nextInput\` names the field ${field}, and ${describeFields("the input", names)}`;
    if (typeof source !== "string" || source.startsWith("literal:")) continue;
    const problem = findProblem(source, { loop, roots: ROOTS });
    if (problem !== undefined) return `\`nextInput.${field}\` ${problem}`;
  }
  return undefined;
}

interface Where {
  readonly loop: LoopDef;
  readonly roots: readonly PathSegment[];
}

function findProblem(path: string, { loop, roots }: Where): string | undefined {
  const parsed = parsePath(path);
  if (parsed.kind === "refused") return `reads ${path}, which ${parsed.reason}`;
  const [root, ...rest] = parsed.segments;
  if (root === undefined || !roots.includes(root))
    return `reads ${path}: a path here begins with ${roots.map((name) => `$.${name}`).join(", ")}`;
  if (root !== "input" && root !== "output") return undefined;
  const missing = followSchema(root === "input" ? loop.inputSchema : loop.outputSchema, rest);
  return missing === undefined
    ? undefined
    : `reads ${path}, and ${describeFields(`the ${root}`, missing)}`;
}

function describeFields(what: string, names: readonly string[]): string {
  return `${what} has there only: ${names.join(", ")}`;
}

/** The fields that there are where one is named that is not among them. */
function followSchema(
  schema: JsonValue,
  segments: readonly PathSegment[],
): readonly string[] | undefined {
  let at: JsonValue | undefined = schema;
  for (const segment of segments) {
    const names = listFields(at);
    if (names === undefined || typeof segment === "number") return undefined;
    if (!names.includes(segment)) return names;
    const { properties } = at as { readonly properties: Readonly<Record<string, JsonValue>> };
    at = properties[segment];
  }
  return undefined;
}

/** The fields of an object that lists them; undefined where others may be there, too. */
function listFields(schema: JsonValue | undefined): readonly string[] | undefined {
  if (!isPlainObject(schema) || !isPlainObject(schema["properties"])) return undefined;
  const isOpen =
    (schema["additionalProperties"] ?? false) !== false ||
    OTHERS.some((keyword) => schema[keyword] !== undefined);
  return isOpen ? undefined : Object.keys(schema["properties"]);
}

/** Keywords by which fields can be there that `properties` does not list. */
const OTHERS = ["patternProperties", "unevaluatedProperties", "anyOf", "oneOf", "allOf", "$ref"];
