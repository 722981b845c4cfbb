/**
 * Whether a tool of a server still is as pinned, at the edge of a call.
 *
 * The words of a changed tool go to no model: the refusal names fields, and a person reads the rest
 * with `turnseal mcp diff`.
 */
import { notDone } from "@turnseal/protocol/authoring";
import { listChangedFields } from "../pins/list-differences.ts";
import type { PinnedTool } from "../pins/pin.ts";
import { nameOfTool, readTool } from "../pins/read-tool.ts";
import type { ListedServer } from "./server-pool.ts";

/** Lists again at most so often where the tools change while they are listed. */
const LISTINGS_MAX = 3;

/** Throws `notDone` where the tool may not be called. */
export async function checkCall(
  server: string,
  pinned: PinnedTool,
  listed: ListedServer,
): Promise<void> {
  for (let listings = 0; listings < LISTINGS_MAX; listings++) {
    const changes = listed.connection.countChanges();
    const tools = await listed.list();
    checkTool(server, pinned, tools);
    if (listed.connection.countChanges() === changes) return;
  }
  throw notDone(`the tools of the server ${server} change all the time`);
}

function checkTool(server: string, pinned: PinnedTool, tools: readonly unknown[]): void {
  const named = tools.filter((tool) => nameOfTool(tool) === pinned.name);
  const refuse = (what: string) =>
    notDone(
      `mcp.${server}.${pinned.name} was not called: ${what}. A person can compare with ` +
        `\`turnseal mcp diff ${server}\`, and allow it with \`turnseal mcp pin ${server}\``,
    );
  if (named.length === 0) throw refuse("the server has no such tool any more");
  if (named.length > 1) throw refuse("the server has several tools of this name");
  const read = readTool(server, named[0]);
  if (read.kind === "refused") throw refuse("the tool is not as it was pinned");
  const fields = listChangedFields(pinned, read.tool);
  if (fields.length === 0) return;
  throw refuse(`its ${fields.join(", ")} ${fields.length === 1 ? "is" : "are"} not as pinned`);
}
