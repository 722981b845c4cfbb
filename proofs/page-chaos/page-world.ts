/** The pages, built; their server, which can be killed; a bad line; and a browser. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "@turnseal/runtime/engine";
import type { Browser } from "playwright-core";
import { repositoryRoot } from "../../tools/tidy/tree.ts";
import { launchChromium } from "../browser/launch-chromium.ts";
import { killProcess } from "../kit/processes.ts";
import { type CutProxy, openCutProxy } from "./cut-proxy.ts";

/** By `useChat`, and by assistant-ui. */
export const PAGE_NAMES = ["index.html", "assistant.html"] as const;
export type PageName = (typeof PAGE_NAMES)[number];

export interface PageWorld {
  /** Where the pages are. */
  readonly page: string;
  /** The server itself, past the bad line. */
  readonly server: string;
  readonly line: CutProxy;
  readonly browser: Browser;
  /** Kills the server, and starts it again on what it has stored, with an edited prompt. */
  restart(): Promise<void>;
  /** Has the model be away, or back. */
  setAway(isAway: boolean): void;
  close(): Promise<void>;
}

const pathOf = (name: string) => join(repositoryRoot, name);

export async function openPageWorld(): Promise<PageWorld> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-page-chaos-"));
  const [port, pagePort] = [await findFreePort(), await findFreePort()];
  const line = await openCutProxy(port);
  const page = `http://127.0.0.1:${pagePort}`;
  const place = { port, page, store: join(folder, "store"), awayFile: join(folder, "away") };
  let edition = 1;
  let server = await startServer({ ...place, edition });
  process.env["CHAT_SERVER_URL"] = `http://127.0.0.1:${line.port}`;
  const { build, preview } = await import("vite");
  const built = { root: pathOf("examples/use-chat/page"), logLevel: "error" as const };
  await build({ ...built, build: { outDir: join(folder, "page") } });
  const pages = await preview({
    ...{ ...built, build: { outDir: join(folder, "page") } },
    preview: { port: pagePort, host: "127.0.0.1", strictPort: true },
  });
  const browser = await launchChromium(process.env);
  return {
    ...{ page, server: `http://127.0.0.1:${port}`, line, browser },
    restart: async () => {
      await killProcess(server);
      edition += 1;
      server = await startServer({ ...place, edition });
    },
    setAway: (isAway) =>
      isAway ? writeFileSync(place.awayFile, "") : rmSync(place.awayFile, { force: true }),
    close: async () => {
      await browser.close();
      await pages.close();
      await line.close();
      await killProcess(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface ServerAt {
  readonly port: number;
  readonly page: string;
  readonly store: string;
  /** While this file is there, the model is away. */
  readonly awayFile: string;
  /** Of the prompt of the agent. */
  readonly edition: number;
}

async function startServer({
  port,
  page,
  store,
  awayFile,
  edition,
}: ServerAt): Promise<ChildProcess> {
  const server = spawn(
    process.execPath,
    [
      ...[pathOf("apps/cli/bin/turnseal.js"), "serve", "--insecure-localhost"],
      ...["--from", pathOf("proofs/page-chaos/loops.ts"), "--port", String(port)],
      ...["--origin", page, "--store", store],
    ],
    {
      cwd: repositoryRoot,
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...{ PATH: process.env["PATH"], CHAT_PACE_MS: "10" },
        ...{ CHAT_EDITION: String(edition), CHAT_AWAY_FILE: awayFile },
      },
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once("exit", () => reject(new Error("the server did not start")));
    server.stdout?.on("data", (text) => {
      if (String(text).includes("Press Ctrl-C to stop")) resolve();
    });
  });
  return server;
}
