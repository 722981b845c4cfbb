import { Window } from "happy-dom";
import { act, createElement, StrictMode } from "react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { conversation, run } from "../session/sample-envelopes.test.data.ts";
import { openScriptedServer, type Script, stream } from "../wire/open-scripted-server.test.data.ts";
import { type Session, useSession } from "./use-session.ts";

const ends: (() => unknown)[] = [];

let window: Window;

beforeEach(() => {
  // React looks for a page, and whether this is a test, among the globals.
  window = new Window();
  vi.stubGlobal("window", window);
  vi.stubGlobal("document", window.document);
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  ends.push(() => window.happyDOM.close());
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  vi.unstubAllGlobals();
});

async function openPage(script: Script) {
  const { createRoot } = await import("react-dom/client");
  const server = await openScriptedServer(script);
  const container = window.document.createElement("main");
  // An element as React needs it; the types of this page are not those of a browser.
  const root = createRoot(container as unknown as Parameters<typeof createRoot>[0]);
  const session: { current?: Session } = {};
  function Page({ of }: { readonly of: string }) {
    session.current = useSession({ url: server.url, run: of, backoff: { firstMs: 5 } });
    const { items } = session.current;
    return items.map((item) =>
      createElement("p", { key: item.id }, "text" in item ? item.text : item.kind),
    );
  }
  const show = (of = run): void =>
    act(() => root.render(createElement(StrictMode, null, createElement(Page, { of }))));
  ends.push(server.close, () => act(() => root.unmount()));
  show();
  return { server, container, session, show, unmount: () => act(() => root.unmount()) };
}

async function until(holds: () => boolean): Promise<void> {
  await act(() => vi.waitFor(() => expect(holds()).toBe(true), { interval: 5, timeout: 30_000 }));
}

const events = conversation.map((event) => ["event", event] as const);

describe("a component", () => {
  test("shows the session, and what arrives later", async () => {
    const arrived: { more?: () => void } = {};
    const { container } = await openPage((_, response) => {
      stream(response, events.slice(0, 3));
      arrived.more = () =>
        response.write(`event: event\ndata: ${JSON.stringify(conversation[7])}\n\n`);
    });
    await until(() => container.textContent === "Pay order 17I must pay.Paying.");
    arrived.more?.();
    await until(() => container.textContent.endsWith("Paid."));
  });

  test("sends what a person writes", async () => {
    const { server, session } = await openPage((asked, response) => {
      if (asked.method === "GET") stream(response, events.slice(0, 1));
      else response.writeHead(202).end();
    });
    const answer = await act(() => session.current?.send("hello"));
    expect(answer).toEqual({ kind: "accepted" });
    expect(server.asked.some(({ body }) => body.includes("hello"))).toBe(true);
  });

  test("that leaves the page watches no longer", async () => {
    const closed = vi.fn();
    const { container, unmount } = await openPage((_, response) => {
      response.on("close", closed);
      stream(response, events.slice(0, 1));
    });
    await until(() => container.textContent !== "");
    const before = closed.mock.calls.length;
    unmount();
    await until(() => closed.mock.calls.length === before + 1);
  });

  test("that is given another run shows that one only", async () => {
    const other = run.replace("0b5e", "1b5e");
    const { container, show, server } = await openPage((asked, response) =>
      stream(response, asked.path.includes(run) ? events.slice(0, 1) : []),
    );
    await until(() => container.textContent !== "");
    show(other);
    await until(() => server.asked.some(({ path }) => path.includes(other)));
    expect(container.textContent).toBe("");
  });
});
