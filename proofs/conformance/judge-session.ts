/** Judges sessions as data (spec/conformance.md, "Judging"). */
import { readFileSync } from "node:fs";
import type { SessionJudged } from "@turnseal/conformance/program";
import type { JsonObject } from "@turnseal/protocol";
import {
  EVENT_TYPES,
  type EventType,
  parseEnvelope,
  parseEventContent,
} from "@turnseal/protocol/events";
import { judgeTool } from "./approving-tool.ts";

export type Judge = (given: JsonObject) => object | Promise<object>;

export const sessionJudges: Readonly<Record<SessionJudged, Judge>> = {
  "event-types": () => ({ types: EVENT_TYPES }),
  "event-content": ({ type, content }) => ({
    valid: parseEventContent(type as EventType, content).kind === "parsed",
  }),
  envelope: ({ envelope }) => ({ valid: parseEnvelope(envelope).kind === "parsed" }),
  "loops-tool": judgeTool,
  "entry-point": ({ entry }) => ({ reaches: listReached(String(entry)) }),
};

const imported = /(?:^|\n)(?:import|export)\s[^"';]*?from\s*"([^"]+)"|import\s*\(?\s*"([^"]+)"/g;
const typeOnly = /(?:^|\n)(?:import|export) type\s[^"';]*?from\s*"[^"]+";?/g;

/** Every package that is reached when this entry of the protocol is loaded. */
function listReached(entry: string): string[] {
  const outside = new Set<string>();
  const seen = new Set<string>();
  const visit = (url: string): void => {
    if (seen.has(url)) return;
    seen.add(url);
    const source = readFileSync(new URL(url), "utf8").replaceAll(typeOnly, "");
    for (const [, first, second] of source.matchAll(imported)) {
      const specifier = first ?? second ?? "";
      if (specifier.startsWith(".")) visit(new URL(specifier, url).href);
      else outside.add(specifier);
    }
  };
  visit(import.meta.resolve(`@turnseal/protocol/${entry}`));
  return [...outside].sort();
}
