import { reviewServer, type ServerReview, writePin } from "@turnseal/runtime/project";
import { countOf, line, renderNext, type Terminal, toned } from "@turnseal/terminal";
import { renderDifferences, renderServer } from "@turnseal/terminal/operate";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { askServer, type FileOptions, findServer, openServers } from "./open-servers.ts";

export interface McpPinOptions extends FileOptions {
  readonly digest?: string;
}

/**
 * `turnseal mcp pin`: shows the tools of a server. With the digest of what was shown, exactly that
 * is pinned. The whole digest is needed: a server can find two lists whose digests begin alike.
 */
export async function runMcpPin(
  name: string,
  options: McpPinOptions,
  { terminal, environment }: Surroundings,
): Promise<ExitCode> {
  const project = await openServers(options);
  const config = findServer(project, name, options);
  const review = await askServer(name, () => reviewServer(name, config, project.pins, environment));
  if (options.digest === undefined) {
    writeReview(review, terminal);
    if (review.before !== undefined && review.differences.length === 0) return EXIT_CODES.done;
    terminal.out.writeLine(renderNext(`turnseal mcp pin ${name} --digest ${review.digest}`));
    return EXIT_CODES.waiting;
  }
  if (options.digest !== review.digest)
    throw new RefusalError(
      `${name} does not offer what has the digest ${options.digest}: review it again`,
      `turnseal mcp pin ${name}`,
      EXIT_CODES.failed,
    );
  await writePin(options.file, project, review);
  terminal.out.writeLine(
    line(toned("good", "pinned"), `  ${name}, ${countOf(review.now.tools.length, "tool")}`),
  );
  return EXIT_CODES.done;
}

function writeReview(review: ServerReview, { out }: Terminal): void {
  if (review.before === undefined) renderServer(review).forEach(out.writeLine);
  else if (review.differences.length === 0)
    out.writeLine(line(toned("good", "as pinned"), `  ${review.name}`));
  else renderDifferences(review).forEach(out.writeLine);
}
