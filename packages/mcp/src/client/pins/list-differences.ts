/** The differences between a pin and a server as it is now. */
import { canonicalize, type JsonValue } from "@turnseal/protocol";
import type { PinnedTool, ServerPin } from "./pin.ts";

export type Difference =
  | {
      readonly kind: "server";
      readonly field: string;
      readonly before: string;
      readonly after: string;
    }
  | { readonly kind: "appeared"; readonly tool: string }
  | { readonly kind: "vanished"; readonly tool: string }
  | { readonly kind: "renamed"; readonly tool: string; readonly to: string }
  | {
      readonly kind: "changed";
      readonly tool: string;
      readonly field: keyof PinnedTool;
      readonly before: string;
      readonly after: string;
    };

const FIELDS = ["title", "description", "inputSchema", "outputSchema", "annotations"] as const;

/** The fields of one tool that are not as pinned. */
export function listChangedFields(before: PinnedTool, after: PinnedTool) {
  return FIELDS.filter((field) => textOf(before[field]) !== textOf(after[field]));
}

export function listDifferences(before: ServerPin, after: ServerPin): Difference[] {
  const [old, now] = [byName(before), byName(after)];
  const vanished = before.tools.filter(({ name }) => !now.has(name));
  const appeared = after.tools.filter(({ name }) => !old.has(name));
  // The first of several that are alike.
  const alike = new Map(appeared.toReversed().map((tool) => [textBut(tool), tool]));
  const renamed = vanished.flatMap((tool) => {
    const to = alike.get(textBut(tool));
    return to === undefined ? [] : [{ kind: "renamed" as const, tool: tool.name, to: to.name }];
  });
  const moved = new Set(renamed.flatMap(({ tool, to }) => [tool, to]));
  const isLeft = ({ name }: PinnedTool) => !moved.has(name);
  return [
    ...listServerDifferences(before, after),
    ...before.tools.flatMap((tool) => listChanges(tool, now.get(tool.name))),
    ...renamed,
    ...vanished.filter(isLeft).map(({ name }) => ({ kind: "vanished" as const, tool: name })),
    ...appeared.filter(isLeft).map(({ name }) => ({ kind: "appeared" as const, tool: name })),
  ];
}

function byName({ tools }: ServerPin): Map<string, PinnedTool> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/** All of a tool but its name. */
function textBut({ name: _, ...tool }: PinnedTool): string {
  return canonicalize(tool);
}

function listChanges(before: PinnedTool, after: PinnedTool | undefined): Difference[] {
  if (after === undefined) return [];
  return listChangedFields(before, after).map((field) => ({
    ...{ kind: "changed", tool: before.name, field },
    ...{ before: textOf(before[field]), after: textOf(after[field]) },
  }));
}

function listServerDifferences(before: ServerPin, after: ServerPin): Difference[] {
  const pairs = [
    ["identity", canonicalize(before.identity), canonicalize(after.identity)],
    ["protocol", before.era, after.era],
  ] as const;
  return pairs
    .filter(([, one, other]) => one !== other)
    .map(([field, one, other]) => ({ kind: "server", field, before: one, after: other }));
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : canonicalize(value);
}
