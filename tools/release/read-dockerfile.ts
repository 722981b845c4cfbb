export interface Instruction {
  /** In capitals, such as COPY. */
  readonly name: string;
  readonly rest: string;
}

/** The stages of a Dockerfile, each with the image that it is made from. */
export interface Stage {
  readonly image: string;
  readonly name?: string;
  readonly instructions: readonly Instruction[];
}

/** Reads a Dockerfile without comments at the end of lines, as Docker itself has none. */
export function readDockerfile(text: string): Stage[] {
  const defaults = new Map<string, string>();
  const stages: (Stage & { readonly instructions: Instruction[] })[] = [];
  const lines = text
    .split("\n")
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
  for (const line of lines) {
    const [, name = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    const stage = stages.at(-1);
    if (name === "FROM") stages.push({ ...readFrom(rest, defaults), instructions: [] });
    else if (stage !== undefined) stage.instructions.push({ name, rest });
    else if (name === "ARG") defaults.set(...readPair(rest));
    else throw new Error(`${line} stands before the first FROM`);
  }
  return stages;
}

function readFrom(
  rest: string,
  defaults: ReadonlyMap<string, string>,
): Omit<Stage, "instructions"> {
  const [image = "", as, name] = rest.split(/\s+/);
  const named = image.replace(/\$\{(\w+)\}/, (_, variable) => defaults.get(variable) ?? "");
  return { image: named, ...(as === "AS" && name !== undefined ? { name } : {}) };
}

function readPair(rest: string): [string, string] {
  const [name = "", ...value] = rest.split("=");
  return [name, value.join("=")];
}
