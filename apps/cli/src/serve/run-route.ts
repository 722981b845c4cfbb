import { readText } from "@turnseal/documents";
import { type Cell, type CellState, parseCells, serveRouter } from "@turnseal/operate/cells";
import { line, renderDetail, toned } from "@turnseal/terminal";
import { waitFor } from "../durable/run-worker.ts";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { listenForStop } from "../terminal/listen-for-stop.ts";
import { RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";

export interface RouteOptions {
  readonly cells: string;
  readonly bind?: string;
  readonly port: number;
}

const words: Readonly<Record<CellState, string>> = {
  up: "is up",
  away: "does not answer",
  strange: "answers with the tag of another cell",
};

/** `turnseal route`: one address for several cells, until it is stopped. */
export async function runRoute(
  { cells: file, bind = "127.0.0.1", port }: RouteOptions,
  { terminal }: Surroundings,
): Promise<ExitCode> {
  const { out, err } = terminal;
  const no = (message: string) =>
    new RefusalError(`${file}: ${message}`, "docs/operate/cells.md has an example");
  const text = await readText(file);
  if (text.kind === "refused") throw no(text.message);
  const read = parseCells(text.text);
  if (read.kind === "unusable") throw no(read.message);
  const { cells } = read;
  const onChange = ({ name, url }: Cell, state: CellState) =>
    err.writeLine(
      line(
        toned(state === "up" ? "good" : "warning", "cell: "),
        `${name} ${words[state]} (${url.host})`,
      ),
    );
  const stop = listenForStop(undefined);
  try {
    const router = await serveRouter({ cells, bind, port, onChange });
    out.writeLine(line(toned("good", "✓ "), `serving ${router.url}`));
    renderDetail("cells", cells.all.map(({ name }) => name).join(", ")).forEach(out.writeLine);
    renderDetail("file", cells.digest.slice(0, 12)).forEach(out.writeLine);
    out.writeLine(line("Press Ctrl-C to stop."));
    await waitFor(stop.signal);
    await router.close();
    return EXIT_CODES.done;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    const next = "turnseal route --bind <address> --port <another>";
    throw new RefusalError(`cannot listen on ${bind}:${port} (${code})`, next);
  } finally {
    stop.release();
  }
}
