import type { CheckedLoop } from "@turnseal/kernel";
import { compareSemver, parseSemver } from "@turnseal/protocol";
import {
  findLoopsFolder,
  findSource,
  type LoadedLoops,
  loadLoops,
} from "@turnseal/runtime/project";
import { type Terminal, writeJson } from "@turnseal/terminal";
import { renderLoopDetail, renderLoopList } from "@turnseal/terminal/loops";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { accept, RefusalError, refuseProblems } from "../terminal/refusal.ts";
import { reportMissing } from "./report-missing.ts";

export interface LoopsOptions {
  readonly from?: readonly string[];
  readonly lenient?: boolean;
  readonly json?: boolean;
}

/** `turnseal loops`: what there is to call; with an id, everything about one loop. */
export async function runLoops(
  id: string | undefined,
  options: LoopsOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const paths = await findLoopsFolder(options.from);
  const next = "turnseal loops --from <files or folders>";
  if (paths.length === 0) throw new RefusalError("there is no folder ./loops here", next);
  const loaded = accept(await loadLoops(paths, options.lenient ? "lenient" : "strict"), { next });
  refuseProblems(loaded.problems, options);
  return id === undefined
    ? writeList(loaded, options, terminal)
    : writeDetail(id, loaded, options, terminal);
}

function writeList({ registry }: LoadedLoops, options: LoopsOptions, { out }: Terminal): ExitCode {
  const loops = [...registry.list()].sort(compareLoops);
  if (options.json) {
    const list = loops.map(({ definition, digest }) => {
      const { id, version, kind, name } = definition;
      return { id, version, kind, name, digest };
    });
    writeJson(out, list, 2);
  } else renderLoopList(loops).forEach(out.writeLine);
  return EXIT_CODES.done;
}

function writeDetail(
  id: string,
  loaded: LoadedLoops,
  options: LoopsOptions,
  terminal: Terminal,
): ExitCode {
  const { out } = terminal;
  const loop = loaded.registry.resolve(id);
  if (loop === undefined) return reportMissing(id, { ...loaded, from: options.from }, terminal);
  const file = findSource(loaded, loop)?.file ?? "";
  if (options.json) {
    const detail = { digest: loop.digest, file, definition: loop.definition };
    writeJson(out, detail, 2);
  } else renderLoopDetail(loop, file).forEach(out.writeLine);
  return EXIT_CODES.done;
}

function compareLoops(a: CheckedLoop, b: CheckedLoop): number {
  if (a.definition.id !== b.definition.id) return a.definition.id < b.definition.id ? -1 : 1;
  const [left, right] = [parseSemver(a.definition.version), parseSemver(b.definition.version)];
  return left === undefined || right === undefined ? 0 : compareSemver(left, right);
}
