/**
 * Checks that the paths of a goal and of further inputs can lead anywhere, by the schemas of the
 * loop. Otherwise a run would pay for turns that can never reach its goal.
 *
 * Only what the schema certainly does not have is refused: a field of an object that lists its
 * fields and takes no others by name. Everything that is not understood may be there.
 */
import { listReads, parseSource } from "@turnseal/kernel";
import {
  findNearest,
  formatPath,
  isMappingSource,
  isPlainObject,
  type JsonValue,
  type LoopDef,
  type MappingSource,
  NEXT_INPUT_ROOTS,
  type PathSegment,
  type RunBounds,
} from "@turnseal/protocol";

type PathBounds = Pick<RunBounds, "goal" | "nextInput">;

/** Every path that leads nowhere, in words. */
export function listPathProblems({ goal, nextInput }: PathBounds, loop: LoopDef): string[] {
  const lost = goal === undefined ? undefined : findProblem(goal.path, { loop, roots: ["output"] });
  const names = listFields(loop.inputSchema);
  return [
    ...(lost === undefined ? [] : [`\`goal\` ${lost}`]),
    ...Object.entries(nextInput ?? {}).flatMap(([field, source]) => {
      if (names !== undefined && !names.includes(field)) {
        const known = describeFields("the input", names, field);
        return `\`nextInput\` names the field ${field}, and ${known}`;
      }
      // A value that is no source is refused together with the bounds.
      if (!isMappingSource(source)) return [];
      const problem = findProblem(source, { loop, roots: NEXT_INPUT_ROOTS });
      return problem === undefined ? [] : `\`nextInput.${field}\` ${problem}`;
    }),
  ];
}

interface Where {
  readonly loop: LoopDef;
  readonly roots: readonly string[];
}

function findProblem(written: MappingSource, where: Where): string | undefined {
  const source = parseSource(written, where.roots);
  if (source.kind !== "refused")
    return listReads(source)
      .map((segments) => findLost(segments, where))
      .find((problem) => problem !== undefined);
  const { rule, text, reason } = source;
  return rule === "mapping-path"
    ? `reads ${text}, which ${reason}`
    : `has an expression that cannot be used: ${reason}`;
}

function findLost(segments: readonly PathSegment[], { loop, roots }: Where): string | undefined {
  const path = formatPath(segments);
  const [root, ...rest] = segments;
  if (typeof root !== "string" || !roots.includes(root))
    return `reads ${path}: a path here begins with ${roots.map((name) => `$.${name}`).join(", ")}`;
  if (root !== "input" && root !== "output") return undefined;
  const lost = followSchema(root === "input" ? loop.inputSchema : loop.outputSchema, rest);
  return lost === undefined
    ? undefined
    : `reads ${path}, and ${describeFields(`the ${root}`, lost.names, lost.named)}`;
}

function describeFields(what: string, names: readonly string[], named: string): string {
  const nearest = findNearest(named, names);
  const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  return `${what} has there only: ${names.join(", ")}${hint}`;
}

/** A path that names an unknown field. */
interface LostField {
  readonly named: string;
  readonly names: readonly string[];
}

function followSchema(schema: JsonValue, segments: readonly PathSegment[]): LostField | undefined {
  let at: JsonValue | undefined = schema;
  for (const segment of segments) {
    const names = listFields(at);
    if (names === undefined || typeof segment === "number") return undefined;
    if (!names.includes(segment)) return { named: segment, names };
    const { properties } = at as { readonly properties: Readonly<Record<string, JsonValue>> };
    at = properties[segment];
  }
  return undefined;
}

/** The fields of an object that lists them; undefined if others may be there, too. */
function listFields(schema: JsonValue | undefined): readonly string[] | undefined {
  if (!isPlainObject(schema) || !isPlainObject(schema["properties"])) return undefined;
  const isOpen =
    (schema["additionalProperties"] ?? false) !== false ||
    OTHERS.some((keyword) => schema[keyword] !== undefined);
  return isOpen ? undefined : Object.keys(schema["properties"]);
}

/** Keywords that allow fields which `properties` does not list. */
const OTHERS = ["patternProperties", "unevaluatedProperties", "anyOf", "oneOf", "allOf", "$ref"];
