import { reviewServer } from "@turnseal/runtime/project";
import { line, renderNext, toned } from "@turnseal/terminal";
import { renderDifferences } from "@turnseal/terminal/operate";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { askServer, type FileOptions, findServer, openServers } from "./open-servers.ts";

/** `turnseal mcp diff`: the server beside its pin. It changes nothing. */
export async function runMcpDiff(
  name: string,
  options: FileOptions,
  { terminal: { out }, environment }: Surroundings,
): Promise<ExitCode> {
  const project = await openServers(options);
  const config = findServer(project, name, options);
  if (!project.pins.has(name))
    throw new RefusalError(`${name} is not pinned`, `turnseal mcp pin ${name}`, EXIT_CODES.failed);
  const review = await askServer(name, () => reviewServer(name, config, project.pins, environment));
  renderDifferences(review).forEach(out.writeLine);
  if (review.differences.length === 0) {
    out.writeLine(line(toned("good", "as pinned"), `  ${name}`));
    return EXIT_CODES.done;
  }
  out.writeLine(renderNext(`turnseal mcp pin ${name}`));
  return EXIT_CODES.failed;
}
