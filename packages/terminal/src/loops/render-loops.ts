import type { CheckedLoop } from "@turnseal/kernel";
import type { LoopDef } from "@turnseal/protocol";
import { drawNode } from "../draw/picture.ts";
import { renderTree } from "../draw/render-tree.ts";
import { type Line, line, toned } from "../screen/line.ts";
import { renderField } from "../screen/render-field.ts";
import { renderJson } from "../screen/sanitize-text.ts";

const DIGEST_SHOWN = "sha256:".length + 12;

/** Renders loops as a table. */
export function renderLoopList(loops: readonly CheckedLoop[]): Line[] {
  const rows = loops.map(({ definition, digest }) => ({
    id: definition.id,
    version: definition.version,
    kind: definition.kind,
    digest: digest.slice(0, DIGEST_SHOWN),
    name: definition.name === definition.id ? "" : definition.name,
  }));
  const widthOf = (column: "id" | "version" | "kind"): number =>
    rows.reduce((widest, row) => Math.max(widest, row[column].length), 0);
  const widths = { id: widthOf("id"), version: widthOf("version"), kind: widthOf("kind") };
  return rows.map((row) =>
    line(
      toned("strong", row.id.padEnd(widths.id)),
      `  ${row.version.padEnd(widths.version)}  ${row.kind.padEnd(widths.kind)}  `,
      toned("faint", row.digest),
      row.name === "" ? "" : `  ${row.name}`,
    ),
  );
}

/** Renders everything that one loop's document says. */
export function renderLoopDetail({ definition, digest }: CheckedLoop, file: string): Line[] {
  return [
    line(toned("strong", definition.id), ` ${definition.version} ${definition.kind}`),
    ...renderField("name", definition.name),
    ...renderField("about", definition.description),
    ...renderField("file", file),
    ...renderField("digest", digest),
    ...renderBody(definition),
    ...renderBlock("input", definition.inputSchema),
    ...renderBlock("output", definition.outputSchema),
  ];
}

function renderBody({ kind, prompt, tool, composite, backend }: LoopDef): Line[] {
  switch (kind) {
    case "prompt":
      return [
        ...renderField("backend", renderBackend(backend)),
        ...renderField("system", prompt?.systemPrompt),
        ...renderField("template", prompt?.template),
      ];
    case "tool":
      return renderField("tool", tool?.implementation);
    case "composite":
      return [
        ...(composite?.flow === undefined
          ? [line(toned("faint", "steps")), ...(composite?.steps ?? []).flatMap(renderStep)]
          : [line(toned("faint", "flow")), ...renderTree(drawNode(composite.flow), "  ")]),
        ...(composite?.outputMapping === undefined
          ? []
          : renderField("result", renderJson(composite.outputMapping))),
      ];
  }
}

function renderBackend(backend: LoopDef["backend"]): string {
  if (backend === undefined) return "none: the scripted model answers";
  return backend.model === undefined ? backend.id : `${backend.id}/${backend.model}`;
}

type Step = NonNullable<NonNullable<LoopDef["composite"]>["steps"]>[number];

function renderStep(step: Step, index: number): Line[] {
  const version = step.loopVersion === undefined ? "" : ` ${step.loopVersion}`;
  const binding = step.outputBinding === undefined ? "" : ` as ${step.outputBinding}`;
  return [
    line(`  ${index + 1}. `, toned("accent", step.loopId), `${version}${binding}`),
    line("     ", toned("faint", renderJson(step.inputMapping))),
  ];
}

function renderBlock(name: string, value: unknown): Line[] {
  return [
    line(toned("faint", name)),
    ...renderJson(value, 2)
      .split("\n")
      .map((text) => line(`  ${text}`)),
  ];
}
