/** A run in another vocabulary, as text: a line for each event, or one document. */
import { openSession, traceRun } from "@turnseal/host";
import { renderJson } from "../screen/sanitize-text.ts";
import { hideContent, type ReadStores } from "./hide-content.ts";

export const EXPORTED_VIEWS = ["lsem", "session", "mplp", "prov"] as const;
export type ExportedView = (typeof EXPORTED_VIEWS)[number];

/** How the file of each view ends. */
export const VIEW_ENDINGS: Readonly<Record<ExportedView, string>> = {
  lsem: "lsem.jsonl",
  session: "session.jsonl",
  mplp: "mplp.jsonl",
  prov: "prov.json",
};

export async function renderView(
  view: ExportedView,
  { run, stores: given }: { readonly run: string; readonly stores: ReadStores },
  { content }: { readonly content: boolean },
): Promise<string> {
  const stores = content ? given : hideContent(given);
  switch (view) {
    case "lsem":
      return toLines(traceRun(stores, run, { content }));
    case "session":
      return toLines(readEnvelopes(stores, run));
    case "mplp": {
      const { readMplp } = await import("@turnseal/host/export");
      return toLines(readMplp(stores, run, { content }));
    }
    case "prov": {
      const { readProv } = await import("@turnseal/host/export");
      return `${renderJson(await readProv(stores, run, { content }))}\n`;
    }
  }
}

async function* readEnvelopes(stores: ReadStores, run: string) {
  const opened = await openSession(stores, run);
  if (opened.kind === "refused") return;
  for (;;) {
    const { envelopes, isEnd } = await opened.reader.read();
    yield* envelopes;
    if (isEnd) return;
  }
}

async function toLines(events: AsyncIterable<object>): Promise<string> {
  const lines: string[] = [];
  for await (const event of events) lines.push(`${renderJson(event)}\n`);
  return lines.join("");
}
