/** A run in another vocabulary, as text: a line for each event, or one document. */
import { openSession, readMplp, readProv, traceRun } from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import { renderJson } from "../terminal/sanitize-text.ts";

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
  { run, stores }: { readonly run: string; readonly stores: Pick<Stores, "log" | "blobs"> },
  { content }: { readonly content: boolean },
): Promise<string> {
  switch (view) {
    case "lsem":
      return toLines(traceRun(stores, run, { content }));
    case "session":
      return toLines(readEnvelopes(content ? stores : hideContent(stores), run));
    case "mplp":
      return toLines(readMplp(stores, run, { content }));
    case "prov":
      return `${renderJson(await readProv(stores, run, { content }))}\n`;
  }
}

async function* readEnvelopes(stores: Pick<Stores, "log" | "blobs">, run: string) {
  const opened = await openSession(stores, run);
  if (opened.kind === "refused") return;
  for (;;) {
    const { envelopes, isEnd } = await opened.reader.read();
    yield* envelopes;
    if (isEnd) return;
  }
}

/** A session without content says what it would say after an erasure. */
function hideContent<Given extends Pick<Stores, "blobs">>(stores: Given): Given {
  return { ...stores, blobs: { ...stores.blobs, read: async () => undefined } };
}

async function toLines(events: AsyncIterable<object>): Promise<string> {
  const lines: string[] = [];
  for await (const event of events) lines.push(`${renderJson(event)}\n`);
  return lines.join("");
}
