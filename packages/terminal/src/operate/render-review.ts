/** A server as a person reviews it. Hidden characters are shown by their names. */
import { type Difference, type PinnedTool, type ServerPin, showHidden } from "@turnseal/mcp";
import { canonicalize, type JsonObject } from "@turnseal/protocol";
import type { ServerReview } from "@turnseal/runtime/project";
import { type Line, line, toned } from "../screen/line.ts";

/** All that a first pin would hold. */
export function renderServer({ config, now, revision, claims }: ServerReview): Line[] {
  const from = "url" in config ? config.url : config.command.join(" ");
  return [
    line(toned("strong", showHidden(from))),
    line(`  speaks ${revision}, and calls itself ${showHidden(claims)}`),
    ...renderIdentity(now),
    ...now.tools.flatMap(renderTool),
    ...now.refused.map(({ name, why }) =>
      line("  ", toned("warning", `refused: ${showHidden(name)}: ${showHidden(why)}`)),
    ),
  ];
}

function renderIdentity({ identity }: ServerPin): Line[] {
  if (identity.kind !== "program") return [];
  return Object.entries(identity.files).map(([file, digest]) =>
    line("  ", toned("faint", `${file} sha256:${digest.slice(0, 16)}`)),
  );
}

/** Every field that a pin holds: nobody may confirm text that was not shown. */
function renderTool({ name, title, description = "", annotations, ...tool }: PinnedTool): Line[] {
  const hints = annotations === undefined ? "" : `, says ${canonicalize(annotations)}`;
  return [
    line("  ", toned("accent", showHidden(name)), toned("faint", showHidden(hints))),
    ...(title === undefined ? [] : renderText(`titled ${title}`)),
    ...renderText(description),
    ...renderSchema("takes", tool.inputSchema),
    ...(tool.outputSchema === undefined ? [] : renderSchema("gives", tool.outputSchema)),
  ];
}

function renderText(text: string): Line[] {
  return showHidden(text)
    .split("\n")
    .map((part) => line("    ", part));
}

function renderSchema(verb: string, schema: JsonObject): Line[] {
  return [line("    ", toned("faint", `${verb} ${showHidden(canonicalize(schema))}`))];
}

/** All differences of a pinned server, with the words before and after each. */
export function renderDifferences({ now, differences }: ServerReview): Line[] {
  const tools = new Map(now.tools.map((tool) => [tool.name, tool]));
  return differences.flatMap((difference) => {
    const shown = renderDifference(difference);
    const tool = difference.kind === "appeared" ? tools.get(difference.tool) : undefined;
    return tool === undefined ? shown : [...shown, ...renderTool(tool)];
  });
}

function renderDifference(difference: Difference): Line[] {
  if (difference.kind === "appeared" || difference.kind === "vanished")
    return [line(toned("warning", difference.kind), `  ${difference.tool}`)];
  if (difference.kind === "renamed")
    return [line(toned("warning", "renamed"), `  ${difference.tool} to ${difference.to}`)];
  const of = difference.kind === "server" ? "the server" : difference.tool;
  return [
    line(toned("warning", "changed"), `  ${of}: ${difference.field}`),
    line("  ", toned("bad", `- ${showHidden(difference.before)}`)),
    line("  ", toned("good", `+ ${showHidden(difference.after)}`)),
  ];
}
