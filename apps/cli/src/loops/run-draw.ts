import { findTarget } from "@turnseal/runtime/project";
import { line, type Terminal, toned } from "@turnseal/terminal";
import {
  drawLoop,
  type Picture,
  renderMermaid,
  renderSvg,
  renderTree,
  shorten,
} from "@turnseal/terminal/draw";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { accept } from "../terminal/refusal.ts";
import { reportMissing } from "./report-missing.ts";

/** The forms of a picture. */
export const DRAWINGS = ["terminal", "mermaid", "svg"] as const;

export interface DrawOptions {
  readonly as?: (typeof DRAWINGS)[number];
  readonly from?: readonly string[];
  readonly version?: string;
  readonly lenient?: boolean;
}

/** `turnseal draw`: what a loop does, as a picture. */
export async function runDraw(
  loop: string,
  options: DrawOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { version, from } = options;
  const mode = options.lenient ? "lenient" : "strict";
  const target = accept(await findTarget({ loop, version, from, mode }));
  const found = target.loaded.registry.resolve(target.id, target.version);
  if (found === undefined) {
    const named = target.version === undefined ? target.id : `${target.id} ${target.version}`;
    return reportMissing(named, { ...target.loaded, from }, terminal);
  }
  const { definition } = found;
  const title = `${shorten(definition.id)} ${definition.version}`;
  return writePicture({ picture: drawLoop(definition), title }, options, terminal);
}

/** Writes a picture in the chosen form. */
export function writePicture(
  { picture, title }: { readonly picture: Picture; readonly title: string },
  options: Pick<DrawOptions, "as">,
  { out }: Terminal,
): ExitCode {
  if (options.as === "mermaid") out.writeText(renderMermaid(picture, title));
  else if (options.as === "svg") out.writeText(renderSvg(picture, title));
  else [line(toned("strong", title)), ...renderTree(picture)].forEach(out.writeLine);
  return EXIT_CODES.done;
}
